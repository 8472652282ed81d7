# Part of “lab”: runs a command in the machine.

# run_machine COMMAND…: starts the machine, and returns the command's status.
run_machine() {
  local run status accelerator
  mkdir -p "$cache/runs"
  run=$(mktemp -d "$cache/runs/XXXXXX")
  # One argument is a line for bash, as with “bash -c”; several are quoted so that they stay what they are.
  if (($# == 1)); then printf '%s' "$1" > "$run/command"; else printf '%q ' "$@" > "$run/command"; fi
  {
    export -p
    printf 'cd %q 2> /dev/null || cd /\n' "$PWD"
  } > "$run/environment"
  cp "$here/guest.sh" "$run/guest.sh"
  accelerator=$(accelerator)
  status=0
  start_emulator "$accelerator" "$run" "${LAB_TIMEOUT:-300}" || status=$?
  if [ -s "$run/status" ]; then
    status=$(cat "$run/status")
  elif [ "$status" != 124 ]; then
    status=125
  fi
  if [ "$status" = 125 ] || [ -n "${LAB_KEEP:-}" ]; then
    say "status $status; the machine's logs are in $run"
  else
    rm -rf "$run"
  fi
  return "$status"
}

# start_emulator kvm|tcg RUN SECONDS: returns when the machine has stopped; 124 when it had to be stopped.
start_emulator() {
  local accelerator=$1 run=$2 seconds=$3 qemu=$cache/qemu processor cpus pid status=0
  case $accelerator in
    kvm) processor=(-accel kvm -cpu host) cpus=2 ;;
    # An old processor, whose features cost the emulator least; one of them, since what runs in here mostly takes turns.
    *) processor=(-accel tcg,thread=multi -cpu Westmere) cpus=1 ;;
  esac
  local arguments=(
    -machine q35 "${processor[@]}" -smp "${LAB_CPUS:-$cpus}" -m "${LAB_MEMORY:-1024}"
    -nodefaults -no-user-config -display none -no-reboot
    -L "$qemu/usr/share/qemu" -L "$qemu/usr/share/seabios"
    -kernel "$cache/kernel/vmlinux" -initrd "$cache/initrd"
    # Nothing secret is in there, so nothing has to be paid for against its own programs.
    -append "console=ttyS0 quiet reboot=t panic=-1 mitigations=off lab_cache=$cache lab_run=$run lab_writable=${LAB_WRITABLE:-} lab_bluetooth=${LAB_BLUETOOTH:-yes}"
    -chardev "file,id=console,path=$run/console" -serial chardev:console
    # This machine's files, which cannot be changed from inside; and the run's own folder, which can.
    -fsdev local,id=host,path=/,security_model=none,readonly=on,multidevs=remap
    -device virtio-9p-pci,fsdev=host,mount_tag=host
    -fsdev "local,id=run,path=$run,security_model=none" -device virtio-9p-pci,fsdev=run,mount_tag=run
    # Two serial lines: the command's output, and its errors.
    -add-fd fd=3,set=1 -add-fd fd=4,set=2
    -chardev file,id=output,path=/dev/fdset/1,append=on -chardev file,id=errors,path=/dev/fdset/2,append=on
    -device virtio-serial-pci
    -device virtserialport,nr=1,chardev=output -device virtserialport,nr=2,chardev=errors
  )
  if [ -n "${LAB_WRITABLE:-}" ]; then
    arguments+=(-fsdev "local,id=writable,path=$LAB_WRITABLE,security_model=none"
      -device virtio-9p-pci,fsdev=writable,mount_tag=writable)
  fi
  local libraries=$qemu/usr/lib/x86_64-linux-gnu:$qemu/lib/x86_64-linux-gnu
  LD_LIBRARY_PATH=$libraries timeout --foreground --kill-after 5 "$seconds" \
    "$qemu/usr/bin/qemu-system-x86_64" "${arguments[@]}" 3>&1 4>&2 > "$run/emulator" 2>&1 < /dev/null &
  pid=$!
  # Whoever ends the lab ends the machine.
  # shellcheck disable=SC2064
  trap "kill $pid 2> /dev/null || true" EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  wait "$pid" || status=$?
  trap - EXIT INT TERM
  return "$status"
}

# Which of the two ways the machine runs: “kvm” by the host's processor, where a machine has been seen to start that way
# since the host itself started; else “tcg”, emulated. A machine inside another often has a /dev/kvm that does not work.
accelerator() {
  local known=$cache/kvm boot result=no
  if [ "${LAB_KVM:-}" = no ] || [ ! -w /dev/kvm ]; then
    echo tcg
    return
  fi
  boot=$(cat /proc/sys/kernel/random/boot_id)
  if [ "$(cut -d' ' -f1 "$known" 2> /dev/null)" != "$boot" ]; then
    local run
    run=$(mktemp -d "$cache/runs/XXXXXX")
    echo true > "$run/command"
    : > "$run/environment"
    cp "$here/guest.sh" "$run/guest.sh"
    LAB_CONTROLLERS=0 LAB_WRITABLE='' start_emulator kvm "$run" 20 > /dev/null 2>&1 || true
    [ "$(cat "$run/status" 2> /dev/null)" != 0 ] || result=yes
    rm -rf "$run"
    echo "$boot $result" > "$known"
  fi
  if [ "$(cut -d' ' -f2 "$known")" = yes ]; then echo kvm; else echo tcg; fi
}
