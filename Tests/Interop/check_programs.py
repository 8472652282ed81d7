# SPDX-License-Identifier: Apache-2.0
"""Plays our programs against the Python peer, both ways and with both algorithms, over TCP on loopback.

`check_programs.py FOLDER`, where FOLDER has the built programs `kiosk`, `attendee` and `organizer`. Every session is
captured and checked. The last line counts; exits 1 when something failed.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile

import check_capture
import identity_files
import program_output
import revocations
import tickets
from checkin_peer import EDDSA, ES256, MOCK_BIOMETRIC, PIN, SigningKey
from cose_sign import NAMES

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 60


class Programs:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.passed = self.failed = 0

    def expect(self, what: str, holds: bool, detail: str = "") -> None:
        self.passed += holds
        self.failed += not holds
        print(f"{'✓' if holds else '✗'} interop {what}" + ("" if holds else f": {detail}"), flush=True)

    def capture(self, what: str, path: pathlib.Path) -> None:
        self.expect(f"{what}: the capture", check_capture.check(str(path)) == 0, "see above")

    @contextlib.contextmanager
    def kiosk(self, event: "Event", *how: str):
        """Our kiosk, and where it listens."""
        command = [
            self.folder / "kiosk", "--identity", event.kiosk, "--issuer", event.issuer, "--json",
            *(how or ("--listen", "tcp://127.0.0.1:0", "--insecure-plaintext")),
        ]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            try:
                for line in process.stdout:
                    said = json.loads(line)
                    if said["event"] == "listening":
                        break
                else:
                    raise RuntimeError("our kiosk ended before it listened")
                yield process, said["endpoint"]
            finally:
                process.terminate()
                try:
                    process.communicate(timeout=LIMIT)
                except subprocess.TimeoutExpired:
                    process.kill()

    def python_attendee(self, url: str, ticket: pathlib.Path, event: "Event", *more: str) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, HERE / "attendee.py", url, "--ticket", ticket, "--issuer", event.issuer, *more],
            stdout=subprocess.PIPE, text=True)

    def our_kiosk(self, event: "Event") -> None:
        name, capture = f"our kiosk, {event.name}", event.folder / "capture"
        with self.kiosk(event) as (kiosk, url):
            for who, ticket, status, word in (
                ("a confirmed attendee", event.ada, 0, "admitted"), ("the same again", event.ada, 1, "already_admitted"),
            ):
                attendee = self.python_attendee(url, ticket, event, "--capture", capture)
                said, _ = attendee.communicate(timeout=LIMIT)
                last = json.loads(said.splitlines()[-1])
                self.expect(f"{name}: {who} is {word}", (attendee.returncode, last.get("reason")) == (status, word), said)
                self.capture(f"{name}: {who}", capture)
            self.typed(name, kiosk, url, event, capture)
            if event.copied is not None:
                attendee = self.python_attendee(url, event.copied, event)
                said, _ = attendee.communicate(timeout=LIMIT)
                self.expect(f"{name}: a copied ticket gets no answer", attendee.returncode == 2, said)

    def our_kiosk_in_tls(self, event: "Event") -> None:
        """A whole check-in inside mutual TLS, bound to it; and those who are turned away, with the alert that they get."""
        name, capture = "our kiosk, TLS", event.folder / "capture"
        own = ("--container", event.kiosk.with_suffix(".p12"), "--password-file", event.password)
        with self.kiosk(event, "--listen", "tls+tcp://127.0.0.1:0", *own) as (kiosk, url):
            for who, container, status, word in (
                ("Ada", event.ada.with_suffix(".p12"), 0, "admitted"),
                ("a kiosk's certificate", event.kiosk.with_suffix(".p12"), 69, "certificate_refused"),
                ("another event's certificate", event.stranger, 69, "certificate_refused"),
            ):
                attendee = self.python_attendee(
                    url, event.ada, event, "--container", container, "--password-file", event.password, "--capture", capture)
                said, _ = attendee.communicate(timeout=LIMIT)
                last = json.loads(said.splitlines()[-1]) if said else {}
                self.expect(
                    f"{name}: {who} is {word}",
                    (attendee.returncode, last.get("reason", last.get("event"))) == (status, word), said)
                if status == 0:
                    self.capture(f"{name}: {who}", capture)

    def taken_back(self, event: "Event") -> None:
        """Lists of what was taken back, both ways: our organizer's read in Python, and one made in Python at our kiosk."""
        name, path = f"lists, {event.name}", event.folder / "revocations.list"
        if event.issuer_key is None:
            key, event_id = identity_files.issuer(event.issuer)
            subprocess.run([self.folder / "organizer", "revoke", event.folder, "grace"], check=True, capture_output=True, timeout=LIMIT)
            it = revocations.read(identity_files.one(path, "CHECKIN REVOCATIONS"), key, event_id)
            self.expect(f"{name}: the peer reads it", (it.attendees, it.serials) == (["grace"], []), str(it))
        else:
            data = revocations.make(event.issuer_key, event="interop", number=7, issued=1_790_000_000, attendees=["grace", "é"])
            identity_files.write_block(path, "CHECKIN REVOCATIONS", data)
        if event.issuer_key is None:
            own = ("--container", event.kiosk.with_suffix(".p12"), "--password-file", event.password)
            with self.kiosk(event, "--listen", "tls+tcp://127.0.0.1:0", "--revocations", path, *own) as (_, url):
                attendee = self.python_attendee(
                    url, event.grace, event, "--container", event.grace.with_suffix(".p12"), "--password-file", event.password)
                said, _ = attendee.communicate(timeout=LIMIT)
                last = json.loads(said.splitlines()[-1]) if said else {}
                self.expect(
                    f"{name}: a certificate that is on it is certificate_refused",
                    (attendee.returncode, last.get("event")) == (69, "certificate_refused"), said)
        how = ("--listen", "tcp://127.0.0.1:0", "--insecure-plaintext", "--revocations", path)
        with self.kiosk(event, *how) as (_, url):
            for who, ticket, word in (("who is on it", event.grace, "revoked"), ("who is not", event.ada, "admitted")):
                attendee = self.python_attendee(url, ticket, event)
                said, _ = attendee.communicate(timeout=LIMIT)
                last = json.loads(said.splitlines()[-1])
                self.expect(f"{name}: {who} is {word}", last.get("reason") == word, said)

    def typed(self, name: str, kiosk: subprocess.Popen, url: str, event: "Event", capture: pathlib.Path) -> None:
        """The PIN on our keypad: one mistake with a backspace in it, then the right digits."""
        attendee = self.python_attendee(url, event.grace, event, "--authenticator", PIN, "--capture", capture)
        pin, said = "", []
        for line in attendee.stdout:
            news = json.loads(line)
            said.append(line)
            pin = news.get("pin", pin)
            if news["event"] == "notice" and news["notice"] in ("on_screen", "wrong_pin"):
                wrong = "9<" + ("11111" if pin != "11111" else "22222")
                kiosk.stdin.write((wrong if news["notice"] == "on_screen" else pin) + "\n")
                kiosk.stdin.flush()
        attendee.wait(LIMIT)
        text = "".join(said)
        self.expect(f"{name}: typed digits admit after a mistake", attendee.returncode == 0 and "wrong_pin" in text, text)
        self.capture(f"{name}: typed digits", capture)

    def our_attendee(self, event: "Event") -> None:
        for authenticator, typed in ((MOCK_BIOMETRIC, []), (PIN, ["--type", "x", "--type", "PIN"])):
            name, capture = f"our attendee, {event.name}, {authenticator}", event.folder / "capture"
            kiosk = subprocess.Popen(
                [sys.executable, HERE / "kiosk.py", "tcp://127.0.0.1:0", "--identity", event.kiosk, "--issuer",
                 event.issuer, "--capture", capture, "--wait", str(LIMIT), *typed], stdout=subprocess.PIPE, text=True)
            with kiosk:
                url = program_output.place(kiosk.stdout)
                ours = subprocess.run(
                    [self.folder / "attendee", "--connect", url, "--ticket", event.ada, "--issuer", event.issuer,
                     "--authenticator", authenticator, "--biometric", "accept", "--insecure-plaintext", "--json"],
                    capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=LIMIT, check=False)
                kiosk.communicate(timeout=LIMIT)
            results = [line for line in map(json.loads, ours.stdout.splitlines()) if line["event"] == "result"]
            admitted = len(results) == 1 and results[0]["success"] is True and results[0]["reason"] == "admitted"
            self.expect(f"{name}: is admitted", ours.returncode == 0 and admitted, ours.stdout + ours.stderr)
            self.capture(name, capture)


class Event:
    """The files of one event."""

    def __init__(self, folder: str, name: str):
        self.folder, self.name = pathlib.Path(folder), name
        self.issuer = self.folder / "issuer.pem"
        self.copied: pathlib.Path | None = None
        self.stranger: pathlib.Path | None = None
        self.issuer_key: SigningKey | None = None

    @staticmethod
    def made_here(folder: str, algorithm: int) -> "Event":
        """Files made by the Python peer. `copied` has Ada's ticket and Grace's key."""
        it = Event(folder, f"files made in Python, {NAMES[algorithm]}")
        issuer, kiosk, ada, grace = (SigningKey.generate(algorithm) for _ in range(4))
        it.ada, it.grace, it.copied = (it.folder / f"{name}.ticket" for name in ("ada", "grace", "copied"))
        it.kiosk = it.folder / "hall-a.kiosk"
        common = {"event": "interop", "event_name": "Interop"}
        credential = tickets.make(
            issuer, subject="hall-a", role=tickets.KIOSK, name="Hall A", key=kiosk.public, serial=b"k", **common)
        identity_files.write_holder(it.kiosk, kiosk, "CHECKIN KIOSK CREDENTIAL", credential)
        for path, key, subject, name in ((it.ada, ada, "ada", "Ada Lovelace"), (it.grace, grace, "grace", "Grace Hopper")):
            ticket = tickets.make(
                issuer, subject=subject, role=tickets.ATTENDEE, name=name, key=key.public, serial=subject.encode(), **common)
            identity_files.write_holder(path, key, "CHECKIN TICKET", ticket)
            if subject == "ada":
                identity_files.write_holder(it.copied, grace, "CHECKIN TICKET", ticket)
        identity_files.write_issuer(it.issuer, issuer.public, "interop", "Interop")
        it.issuer_key = issuer
        return it

    @staticmethod
    def made_by_organizer(folder: str, organizer: pathlib.Path) -> "Event":
        it = Event(folder + "/event", "files made by our organizer")
        it.password = pathlib.Path(folder) / "password"
        it.password.touch(mode=0o600)
        it.password.write_text("correct horse battery staple\n", encoding="utf-8")

        def run(*words) -> None:
            subprocess.run([organizer, *words], check=True, capture_output=True, text=True, timeout=LIMIT)

        run("init", it.folder, "--event", "Interop")
        secret = ("--password-file", it.password)
        run("kiosk", it.folder, "--name", "Hall A", "--id", "hall-a", *secret)
        for name, subject in (("Ada Lovelace", "ada"), ("Grace Hopper", "grace")):
            run("issue", it.folder, "--name", name, "--id", subject, *secret)
        other = folder + "/other"
        run("init", other, "--event", "Interop")
        run("issue", other, "--name", "Eve", "--id", "eve", *secret)
        it.stranger = pathlib.Path(other) / "tickets" / "eve.p12"
        it.ada, it.grace = (it.folder / "tickets" / f"{name}.ticket" for name in ("ada", "grace"))
        it.kiosk = it.folder / "kiosks" / "hall-a.kiosk"
        return it


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    programs = Programs(pathlib.Path(sys.argv[1]).resolve())
    makers = [lambda folder: Event.made_here(folder, EDDSA), lambda folder: Event.made_here(folder, ES256),
              lambda folder: Event.made_by_organizer(folder, programs.folder / "organizer")]
    for maker in makers:
        with tempfile.TemporaryDirectory() as folder:
            try:
                event = maker(folder)
                programs.our_kiosk(event)
                programs.our_attendee(event)
                programs.taken_back(event)
                if event.stranger is not None:
                    programs.our_kiosk_in_tls(event)
            except (OSError, RuntimeError, ValueError, subprocess.SubprocessError) as error:
                programs.expect("the programs", False, f"{error}\n{getattr(error, 'stderr', '') or ''}")
    print(f"interop: {programs.passed} passed, {programs.failed} failed")
    return 1 if programs.failed else 0


if __name__ == "__main__":
    sys.exit(main())
