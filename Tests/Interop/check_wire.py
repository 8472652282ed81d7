# SPDX-License-Identifier: Apache-2.0
"""A whole check-in between our programs, with containers that our organizer wrote, while every packet on loopback is captured:
neither the token nor the PIN is in it. In plain text both are, which shows that the capture sees them.

`check_wire.py FOLDER [KEEP]`, where FOLDER has the built programs and KEEP, if given, gets the captures as files that tcpdump reads.
It needs a network namespace of its own; where that is not allowed it says so and skips. Where tcpdump is installed, and we are root,
it captures beside us, and its file is searched too (elsewhere it gives up its rights, and then has none). The last line counts; exits 1 when something failed.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import identity_files
import program_output
import wire

LIMIT = 60


class Wire:
    def __init__(self, programs: pathlib.Path, folder: pathlib.Path, keep: pathlib.Path | None):
        self.programs, self.folder, self.keep = programs, folder, keep
        self.event = folder / "event"
        self.password = folder / "password"
        self.passed = self.failed = 0

    def expect(self, what: str, holds: bool, detail: str = "") -> None:
        self.passed += holds
        self.failed += not holds
        print(f"{'✓' if holds else '✗'} wire: {what}" + ("" if holds else f": {detail}"), flush=True)

    def make_event(self) -> None:
        self.password.touch(mode=0o600)
        self.password.write_text("correct horse battery staple\n", encoding="ascii")
        for words in (
            ("init", self.event, "--event", "Wire"),
            ("kiosk", self.event, "--name", "Hall A", "--id", "hall-a", "--password-file", self.password),
            ("issue", self.event, "--name", "Ada", "--id", "ada", "--password-file", self.password),
            ("issue", self.event, "--name", "Grace", "--id", "grace", "--password-file", self.password),
        ):
            subprocess.run([self.programs / "organizer", *words], check=True, capture_output=True, timeout=LIMIT)

    @contextlib.contextmanager
    def tcpdump(self, port: int, path: pathlib.Path):
        program = shutil.which("tcpdump")
        if program is None:
            yield
            return
        command = [program, "-i", "lo", "--immediate-mode", "-U", "-w", path, "-Z", "root", "tcp", "port", str(port)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            try:
                if not any("listening on" in line for line in process.stderr):
                    print("wire: tcpdump does not capture here; our own capture does", flush=True)
                yield
            finally:
                process.terminate()
                process.wait(LIMIT)

    def check_in(self, who: str, in_tls: bool) -> None:
        name = "TLS" if in_tls else "plain text"
        own = lambda path: ("--container", path, "--password-file", self.password) if in_tls else ("--insecure-plaintext",)
        kiosk_file, ticket_file = self.event / "kiosks" / "hall-a.kiosk", self.event / "tickets" / f"{who}.ticket"
        issuer = ("--issuer", self.event / "issuer.pem")
        kiosk = subprocess.Popen(
            [self.programs / "kiosk", "--listen", f"{'tls+' if in_tls else ''}tcp://127.0.0.1:0", "--identity", kiosk_file,
             "--json", *issuer, *own(kiosk_file.with_suffix(".p12"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with kiosk:
            try:
                url = program_output.place(kiosk.stdout)
                port = int(url.rsplit(":", 1)[1])
                dump = self.folder / f"tcpdump-{name.replace(' ', '-')}.pcap"
                capture = wire.Capture(port)
                try:
                    with self.tcpdump(port, dump):
                        status, pin = self.attend(url, ticket_file, issuer, own(ticket_file.with_suffix(".p12")), kiosk)
                        self.wait_for(dump, capture)
                    lost = capture.dropped()
                finally:
                    capture.stop()
            finally:
                kiosk.terminate()
                try:
                    kiosk.communicate(timeout=LIMIT)
                except subprocess.TimeoutExpired:
                    kiosk.kill()
        self.expect(f"{name}: {who} is admitted by the PIN", status == 0 and len(pin) == 5, f"{status}")
        self.judge(name, in_tls, capture, lost, identity_files.ticket(ticket_file)[1], pin.encode(), dump)
        if self.keep is not None:
            capture.write(self.keep / f"{name.replace(' ', '-')}.pcap")

    @staticmethod
    def wait_for(dump: pathlib.Path, capture: wire.Capture) -> None:
        """Until tcpdump, where it captures, has written as much as we have; not for ever."""
        for _ in range(50):
            if not dump.exists() or dump.stat().st_size in range(1, 25):
                return
            if dump.stat().st_size > sum(map(len, list(capture.packets))):
                return
            time.sleep(0.1)

    def attend(self, url: str, ticket: pathlib.Path, issuer: tuple, own: tuple, kiosk: subprocess.Popen) -> tuple[int, str]:
        pin = ""
        command = [
            self.programs / "attendee", "--connect", url, "--ticket", ticket, "--authenticator", "pin", "--json", *issuer, *own]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as attendee:
            for line in attendee.stdout:
                said = json.loads(line)
                if said["event"] == "pin":
                    pin = said["pin"]
                    kiosk.stdin.write(pin + "\n")
                    kiosk.stdin.flush()
        return attendee.returncode, pin

    def judge(
        self, name: str, in_tls: bool, capture: wire.Capture, lost: int, token: bytes, pin: bytes, dump: pathlib.Path
    ) -> None:
        streams = capture.streams()
        to_kiosk = b"".join(data for ports, data in streams.items() if ports[1] == capture.port)
        to_phone = b"".join(data for ports, data in streams.items() if ports[0] == capture.port)
        said = f"{len(capture.packets)} packets, {len(to_kiosk)} and {len(to_phone)} bytes, {lost} lost"
        # A request with its token has more than 300 bytes, and so has a hello with its credential.
        self.expect(f"{name}: the capture has both directions whole ({said})",
                    lost == 0 and len(to_kiosk) > 300 and len(to_phone) > 300, said)
        places = [to_kiosk, to_phone, *capture.packets]
        if dump.exists() and dump.stat().st_size > 24:
            places.append(dump.read_bytes())
            self.expect(f"{name}: tcpdump has captured too", len(places[-1]) > len(to_kiosk) + len(to_phone))
        for what, secret in (("the token", token), ("the PIN", pin)):
            shown = [secret in place for place in places]
            if in_tls:
                self.expect(f"{name}: {what} is nowhere in it", not any(shown))
            else:
                self.expect(f"{name}: {what} is in it", shown[0] or shown[1])
        if in_tls:
            # A handshake message of TLS, and no other version than 1.2 or 1.3 in the records' heads.
            self.expect(f"{name}: it is TLS", to_kiosk[:2] == b"\x16\x03" and to_phone[:2] == b"\x16\x03")


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 64
    try:
        wire.enter()
    except wire.NotAllowed as error:
        print(f"wire: skipped, because {error}")
        print("wire: 0 passed, 0 failed")
        return 0
    keep = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) == 3 else None
    with tempfile.TemporaryDirectory() as folder:
        checks = Wire(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder), keep)
        try:
            checks.make_event()
            checks.check_in("ada", in_tls=True)
            checks.check_in("grace", in_tls=False)
        except (OSError, RuntimeError, ValueError, subprocess.SubprocessError) as error:
            checks.expect("the programs", False, f"{error}\n{getattr(error, 'stderr', '') or ''}")
    print(f"wire: {checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
