# Everything that is done with this repository. `make` alone prints what there is.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup demo enroll-demo kiosk attendee organizer event test test-bluetooth bluetooth-lab check sanitize format docs bench bench-quick costs venv interop fuzz-containers tls-cost leaks clean bluetooth-speed

# Where `make kiosk` listens and `make attendee` connects.
URL ?= tcp://127.0.0.1:7443
# Who comes to the kiosk with `make attendee`; a ticket is issued when there is none.
NAME ?= Ada Lovelace
# More options for the program, such as ARGS="--json".
ARGS ?=
# How many containers `make fuzz-containers` reads, and what their mutations follow from.
COUNT ?= 1000000
SEED ?= 1
# What `make bluetooth-lab` runs.
CMD ?= --help
export URL NAME
# As it was typed: a “$” in it is for the shell inside.
export LAB_COMMAND = $(value CMD)

help: ## print this list
	@echo "swift-checkin: what there is"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r target text; do \
	  printf '%-22s %s\n' "$$target" "$$text"; done
	@echo
	@echo "New here? “make demo” tells the whole story. Then try “make kiosk” in one terminal and"
	@echo "“make attendee” in another; “make attendee NAME=\"Grace Hopper\"” is somebody else."

setup: ## install what building and testing need, where it is missing
	@scripts/setup test

demo: ## build and run the whole story in one process
	@scripts/setup build
	@swift build --product demo
	@exec "$$(swift build --show-bin-path)/demo" $(ARGS)

enroll-demo: ## play an enrollment with real processes: SMS, container, passport, selfie, PIN, kiosk
	@scripts/setup build
	@for product in organizer enroll enrollment-server kiosk attendee MakePicture; do swift build --product $$product; done
	@exec scripts/enroll-demo $(ARGS)

kiosk: event ## run a kiosk at URL (loopback), on an event made for trying
	@swift build --product kiosk
	@exec scripts/try kiosk $(ARGS)

attendee: event ## check in at that kiosk as NAME (Ada Lovelace)
	@swift build --product attendee
	@exec scripts/try attendee $(ARGS)

organizer: ## run the organizer program with ARGS, such as ARGS="list .build/event"
	@scripts/setup build
	@swift build --product organizer
	@exec "$$(swift build --show-bin-path)/organizer" $(if $(ARGS),$(ARGS),--help)

event:
	@scripts/setup build
	@swift build --product organizer
	@scripts/try event

test: ## set up, build, and run every test and check
	@scripts/test

test-bluetooth: ## run the tests that need Bluetooth, in a virtual machine that has it
	@scripts/setup test
	@scripts/venv
	@swift build --build-tests
	@scripts/bluetooth
	@scripts/conformance --bluetooth

bluetooth-lab: ## run CMD in that machine, such as CMD='hciconfig -a'; alone: its help
	@exec Tests/BluetoothLab/lab "$$LAB_COMMAND"

bluetooth-speed: ## measure the Bluetooth transport beside a program in C, in that machine
	@scripts/setup build
	@exec scripts/bluetooth-speed

check: ## run the static checks alone; ARGS="format names" runs some
	@scripts/setup build
	@scripts/check $(ARGS)

# Not under the thread sanitizer: it does not see the locks of Swift's Mutex on Linux, which are futexes in a library that it
# does not instrument, and takes whatever is done under them for a race.
sanitize: ## run the tests under the address sanitizer
	@scripts/setup test
	LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/leak-suppressions \
	  swift test --no-parallel --sanitize address --scratch-path .build/sanitize-address

leaks: ## ten thousand TLS handshakes under LeakSanitizer; COUNT changes that
	@scripts/setup build
	@COUNT=$(if $(filter-out file,$(origin COUNT)),$(COUNT),10000) scripts/leaks

tls-cost: ## measure what TLS costs: 10,000 idle connections at once, and 10,000 handshakes
	@scripts/setup build
	@swift build -c release --product TLSCost
	@"$$(swift build -c release --show-bin-path)/TLSCost" idle 10000
	@"$$(swift build -c release --show-bin-path)/TLSCost" handshakes 10000

format: ## format every Swift file
	swift format --in-place --parallel --recursive Package.swift Sources Plugins Examples Tests Benchmarks

docs: ## build the documentation into .build/docs
	@scripts/setup build
	@scripts/docs

bench: ## measure beside NNG, ZeroMQ, OpenSSL and SQLite; ARGS="--json FILE"; a quarter of an hour
	@exec scripts/bench $(ARGS)

costs: ## count the heap allocations and system calls of a frame, a signature and a check-in
	@scripts/setup test
	@scripts/costs

bench-quick: ## the same in less than two minutes; the figures spread more
	@exec scripts/bench --quick $(ARGS)

interop: venv ## let programs that are not ours read what we write, and the other way round
	@swift build
	@scripts/interop

fuzz-containers: ## read a million mutated containers; COUNT and SEED change that
	@scripts/setup build
	@swift build -c release --product ContainerFuzz
	@exec "$$(swift build -c release --show-bin-path)/ContainerFuzz" Tests/Vectors $(COUNT) $(SEED)

venv: ## make the Python environment that the interoperability tests use
	@scripts/setup test
	@scripts/venv

clean: ## remove everything that was built, and the event made for trying
	rm -rf .build .venv
