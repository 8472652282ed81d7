# SPDX-License-Identifier: Apache-2.0
"""Tests of the Python peer itself: `python -m unittest` in this folder. Loopback sockets only."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import cbor2

import check_capture
import identity_files
import program_output
import tickets
from attendee_session import Attendee, check_in, verified_hello
from channel import Channel, Ended, address, capture_lines
from check_vectors import Checker, FOLDER
from checkin_peer import ATTENDEE, Conversation, EDDSA, ES256, Fault, KIOSK, MOCK_BIOMETRIC, PIN, SigningKey, decode
from checkin_peer import REASONS, encode, frame, mock_biometric_evidence
from kiosk_session import Kiosk, serve
from make_vectors import files
from strict_cbor import judge

HERE = pathlib.Path(__file__).resolve().parent
EVENT = "test-event"


class Fixture:
    """An issuer, a kiosk and Ada, with fresh keys."""

    def __init__(self, algorithm: int = EDDSA, **claims):
        self.issuer, self.kiosk_key, self.ada = (SigningKey.generate(algorithm) for _ in range(3))
        common = {"event": EVENT, "event_name": "Test Event", "serial": b"1"}
        self.credential = tickets.make(
            self.issuer, subject="k", role=tickets.KIOSK, name="Hall A", key=self.kiosk_key.public, **common)
        self.ticket = tickets.make(
            self.issuer, subject="ada", role=tickets.ATTENDEE, name="Ada", key=self.ada.public, **common | claims)

    def kiosk(self, **more) -> Kiosk:
        values = {"authenticators": [MOCK_BIOMETRIC, PIN], "gate": "North", "silence": 0.3} | more
        return Kiosk(self.kiosk_key, self.credential, self.issuer.public, EVENT, **values)

    def attendee(self, **more) -> Attendee:
        values = {
            "key": self.ada, "token": self.ticket, "issuer": self.issuer.public, "event": EVENT,
            "authenticators": [MOCK_BIOMETRIC, PIN],
        } | more
        return Attendee(**values)


def meet(kiosk: Kiosk, attend) -> tuple[object, list, list]:
    """A kiosk in a thread, `attend(channel)` here: what came of both, and the attendee's capture."""
    ours, theirs = socket.socketpair()
    told: list = []
    outcome: list = []

    def run():
        with theirs:
            try:
                outcome.append(serve(Channel(theirs, KIOSK), kiosk, lambda event, **more: told.append((event, more))))
            except (Fault, Ended) as end:
                outcome.append(end)

    thread = threading.Thread(target=run)
    thread.start()
    capture: list = []
    try:
        with ours:
            result = attend(Channel(ours, ATTENDEE, capture))
    finally:
        thread.join(20)
    return result, told, capture


class Sessions(unittest.TestCase):
    def attend(self, attendee: Attendee, told: list | None = None):
        return lambda channel: check_in(
            channel, attendee, lambda event, **more: told.append((event, more)) if told is not None else None)

    def test_a_confirmed_attendee_is_admitted_with_either_algorithm(self):
        for algorithm in (EDDSA, ES256):
            fixture = Fixture(algorithm)
            result, told, capture = meet(fixture.kiosk(), self.attend(fixture.attendee()))
            self.assertEqual(result["name"], "admitted")
            self.assertEqual([event for event, _ in told], ["initial_request", "result"])
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "capture")
                pathlib.Path(path).write_text(capture_lines(capture, fixture.issuer.public, EVENT))
                self.assertEqual(check_capture.check(path), 0)

    def test_typed_digits_admit_after_a_mistake(self):
        fixture = Fixture()
        kiosk = fixture.kiosk(typed=["x", "PIN"])
        told: list = []
        result, _, _ = meet(kiosk, self.attend(fixture.attendee(authenticators=[PIN]), told))
        self.assertEqual(result["name"], "admitted")
        self.assertIn(("notice", {"notice": "wrong_pin", "number": 2}), told)

    def test_three_mistakes_end_the_session(self):
        fixture = Fixture()
        result, _, _ = meet(fixture.kiosk(typed=["x"] * 3), self.attend(fixture.attendee(authenticators=[PIN])))
        self.assertEqual(result["name"], "too_many_attempts")

    def test_the_second_time_is_already_admitted_and_the_same_request_is_answered_again(self):
        fixture = Fixture()
        kiosk, first = fixture.kiosk(), fixture.attendee()
        self.assertTrue(meet(kiosk, self.attend(first))[0]["success"])
        self.assertTrue(meet(kiosk, self.attend(first))[0]["success"])
        again = meet(kiosk, self.attend(fixture.attendee()))[0]
        self.assertEqual((again["name"], again["gate"]), ("already_admitted", "North"))

    def test_refusals_have_their_reasons(self):
        now = int(time.time())
        for claims, more, reason in (
            ({"event": "other"}, {"event": EVENT}, "wrong_event"), ({"gates": ["South"]}, {}, "wrong_gate"),
            ({"expires": now - 301}, {}, "expired"), ({"not_before": now + 400}, {}, "not_yet_valid"),
            ({"issued": now + 400}, {}, "clock_skew"), ({}, {"now": lambda: now - 310}, "clock_skew"),
        ):
            with self.subTest(reason):
                fixture = Fixture(**claims)
                result, _, _ = meet(fixture.kiosk(), self.attend(fixture.attendee(**more)))
                self.assertEqual(result["name"], reason)

    def test_invalid_tokens_get_silence_of_the_same_length(self):
        fixture, other = Fixture(), Fixture()
        for token, key in (
            (b"letmein", fixture.ada), (other.ticket, other.ada), (fixture.credential, fixture.kiosk_key),
            (fixture.ticket, other.ada), (fixture.ticket[:-1], fixture.ada),
        ):
            started = time.monotonic()
            result, told, _ = meet(fixture.kiosk(), self.attend(fixture.attendee(token=token, key=key)))
            self.assertIsNone(result)
            self.assertEqual([event for event, _ in told], ["invalid_token"])
            self.assertTrue(0.3 <= time.monotonic() - started < 3)

    def test_a_false_kiosk_gets_no_token(self):
        fixture, other = Fixture(), Fixture()
        cases = (
            (Kiosk(other.kiosk_key, other.credential, other.issuer.public, EVENT, "North", [PIN]), "bad_signature"),
            (Kiosk(other.kiosk_key, fixture.credential, fixture.issuer.public, EVENT, "North", [PIN]), "bad_signature"),
            (Kiosk(fixture.ada, fixture.ticket, fixture.issuer.public, EVENT, "North", [PIN]), "wrong_role"),
            (fixture.kiosk(authenticators=["retina"]), "no_common_authenticator"),
        )
        for kiosk, reason in cases:
            capture: list = []

            def attend(channel):
                with self.assertRaises(Fault) as raised:
                    check_in(channel, fixture.attendee(), lambda event, **more: None)
                capture.extend(channel.capture)
                return raised.exception.reason

            self.assertEqual(meet(kiosk, attend)[0], reason)
            self.assertEqual([line["from"] for line in capture if line["from"] == "attendee"], [])

    def test_evidence_of_another_session_is_refused_and_the_keypad_remains(self):
        fixture = Fixture()
        kiosk = fixture.kiosk()

        def attend(channel):
            attendee = fixture.attendee()
            verified_hello(channel, attendee)
            channel.send(attendee.key, type="initial_request", version=1, request=attendee.request,
                         nonce=os.urandom(16), token=attendee.token, time=attendee.now())
            pin = channel.receive(5)["pin"]
            self.assertEqual(channel.receive(5)["code"], 2)
            request = {"type": "check_in_request", "request": attendee.request, "pin": pin,
                       "authenticator": MOCK_BIOMETRIC}
            for evidence in (mock_biometric_evidence(bytes(32)), b""):
                channel.send(attendee.key, **request, evidence=evidence)
                self.assertEqual(channel.receive(5)["code"], 4)
            # The kiosk looks for typed digits before it waits for a message: one more message wakes it, if it waits.
            kiosk.typed.append("PIN")
            channel.send(attendee.key, **request, evidence=b"")
            while (message := channel.receive(5))["type"] == "notice":
                self.assertEqual(message["code"], 4)
            return message

        self.assertEqual(REASONS[meet(kiosk, attend)[0]["reason"]], "admitted")

    def test_a_reflected_hello_gets_silence(self):
        def attend(channel):
            hello = channel.receive_body(5)
            channel.connection.sendall(frame(hello))
            with self.assertRaises(Ended):
                channel.receive_body(5)

        _, told, _ = meet(Fixture().kiosk(), attend)
        self.assertEqual(told, [("protocol_error", {"why": "wrong_turn"})])


class Programs(unittest.TestCase):
    def test_the_two_programs_check_in_over_tcp_and_the_captures_are_good(self):
        fixture = Fixture(ES256)
        with tempfile.TemporaryDirectory() as folder:
            path = lambda name: os.path.join(folder, name)
            identity_files.write_holder(path("ada"), fixture.ada, "CHECKIN TICKET", fixture.ticket)
            identity_files.write_holder(path("kiosk"), fixture.kiosk_key, "CHECKIN KIOSK CREDENTIAL", fixture.credential)
            identity_files.write_issuer(path("issuer"), fixture.issuer.public, EVENT, "Test Event")
            with subprocess.Popen(
                [sys.executable, HERE / "kiosk.py", "tcp://127.0.0.1:0", "--identity", path("kiosk"), "--issuer",
                 path("issuer"), "--capture", path("k"), "--sessions", "1", "--wait", "30"],
                stdout=subprocess.PIPE, text=True,
            ) as kiosk:
                endpoint = program_output.place(kiosk.stdout)
                attendee = subprocess.run(
                    [sys.executable, HERE / "attendee.py", endpoint, "--ticket", path("ada"), "--issuer",
                     path("issuer"), "--capture", path("a")], capture_output=True, text=True, timeout=60, check=False)
                kiosk.stdout.read()
            self.assertEqual((attendee.returncode, kiosk.returncode), (0, 0), attendee.stdout + attendee.stderr)
            last = json.loads(attendee.stdout.splitlines()[-1])
            self.assertEqual((last["event"], last["reason"]), ("result", "admitted"))
            self.assertEqual([check_capture.check(path(name)) for name in "ak"], [0, 0])

    def test_usage_and_unreachable_have_their_exit_status(self):
        run = lambda *words: subprocess.run(
            [sys.executable, HERE / "attendee.py", *words], capture_output=True, timeout=60, check=False).returncode
        self.assertEqual(run(), 64)
        self.assertEqual(run("tcp://127.0.0.1:1", "--ticket", "/nonexistent", "--issuer", "/nonexistent"), 65)
        with self.assertRaises(ValueError):
            address("unix:///x")
        self.assertEqual(address("tcp://[::1]:7443"), ("::1", 7443))


class Captures(unittest.TestCase):
    def setUp(self):
        vectors = files()
        conversation = vectors["conversation-admitted-ed25519.json"]
        issuer = vectors["keys.json"][conversation["issuer"]]
        self.lines = [{"capture": 1, "issuer": {"algorithm": "EdDSA", "public": issuer["public"]}}] + [
            {"from": step["from"], "body": step["body"]} for step in conversation["messages"]
        ]

    def status(self, lines) -> int:
        quiet = contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO())
        with quiet[0], quiet[1], tempfile.NamedTemporaryFile("w", suffix=".capture") as file:
            file.write("".join(json.dumps(line) + "\n" for line in lines))
            file.flush()
            return check_capture.check(file.name)

    def test_a_good_capture_passes(self):
        self.assertEqual(self.status(self.lines), 0)

    def test_every_change_is_noticed(self):
        for index in range(1, len(self.lines) - 1):
            with self.subTest(index):
                # The loss of a side's last message looks like a lost connection, and is no fault in what is there.
                is_last = all(line["from"] != self.lines[index]["from"] for line in self.lines[index + 1 :])
                self.assertEqual(self.status(self.lines[:index] + self.lines[index + 1 :]), 0 if is_last else 1)
                swapped = list(self.lines)
                swapped[index], swapped[index + 1] = swapped[index + 1], swapped[index]
                same_context = index > 2 and swapped[index]["from"] != swapped[index + 1]["from"]
                self.assertEqual(self.status(swapped), 0 if same_context else 1)
                changed = list(self.lines)
                body = bytearray.fromhex(changed[index]["body"])
                body[len(body) // 2] ^= 1
                changed[index] = changed[index] | {"body": body.hex()}
                self.assertEqual(self.status(changed), 1)

    def test_what_is_no_capture_is_refused(self):
        self.assertEqual(self.status([]), 1)
        self.assertEqual(self.status(self.lines[:1]), 1)
        self.assertEqual(self.status(self.lines[1:]), 1)


class Vectors(unittest.TestCase):
    def test_the_committed_vectors_are_what_is_made_and_hold(self):
        for name, content in files().items():
            committed = json.loads((FOLDER / name).read_text(encoding="utf-8"))
            self.assertEqual(json.loads(json.dumps(content)), committed, name)
        self.assertEqual(Checker(FOLDER).run(), 0)

    def test_the_checker_notices_a_changed_vector(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in FOLDER.glob("*.json"):
                pathlib.Path(folder, path.name).write_bytes(path.read_bytes())
            path = pathlib.Path(folder, "conversation-admitted-ed25519.json")
            changed = json.loads(path.read_text(encoding="utf-8"))
            changed["messages"][2]["context"] = "00" * 32
            path.write_text(json.dumps(changed), encoding="utf-8")
            with contextlib.redirect_stderr(io.StringIO()):
                self.assertEqual(Checker(pathlib.Path(folder)).run(), 1)


class StrictCBOR(unittest.TestCase):
    def test_keys_are_sorted_by_their_bytes_not_by_length(self):
        self.assertEqual(encode({24: 0, -1: 0, 9: 0}).hex(), "a30900181800" + "2000")
        self.assertNotEqual(cbor2.dumps({24: 0, -1: 0, 9: 0}, canonical=True), encode({24: 0, -1: 0, 9: 0}))

    def test_random_values_come_back(self):
        source = random.Random(1)

        def value(depth: int):
            kind = source.randrange(7 if depth else 5)
            if kind == 0:
                return source.randrange(1 << source.randrange(1, 65))
            if kind == 1:
                return -1 - source.randrange(1 << source.randrange(1, 65))
            if kind == 2:
                return source.randbytes(source.randrange(40))
            if kind == 3:
                return "".join(chr(source.randrange(32, 0x2FF)) for _ in range(source.randrange(30)))
            if kind == 4:
                return source.choice([True, False, None])
            if kind == 5:
                return [value(depth - 1) for _ in range(source.randrange(5))]
            return {source.choice([source.randrange(1000), str(source.randrange(1000))]): value(depth - 1)
                    for _ in range(source.randrange(5))}

        for _ in range(2000):
            item = value(4)
            data = encode(item)
            self.assertEqual(decode(data), item)
            for cut in range(len(data)):
                with self.assertRaises(Fault):
                    judge(data[:cut])

    def test_random_bytes_never_break_the_reader(self):
        source = random.Random(2)
        accepted = 0
        for _ in range(20_000):
            data = source.randbytes(source.randrange(12))
            try:
                judge(data)
            except Fault:
                continue
            accepted += 1
            self.assertEqual(encode(cbor2.loads(data)), data) if data[0] >> 5 != 6 else None
        self.assertGreater(accepted, 100)


if __name__ == "__main__":
    unittest.main()
