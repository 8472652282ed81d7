# SPDX-License-Identifier: Apache-2.0
"""Plays our programs against a Bluetooth host that is not BlueZ, both ways, in the lab: bumble, with a controller of its own.

`check_bluetooth.py FOLDER`, where FOLDER has the built programs `kiosk` and `attendee`; inside the lab (Tests/BluetoothLab),
with three controllers. hci0 and hci1 are ours or bumble's, hci2 is bumble's. The last line counts; exits 1 when something
failed.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
from typing import Iterator

import check_programs
from checkin_peer import EDDSA, ES256, MOCK_BIOMETRIC, PIN

HERE = pathlib.Path(__file__).resolve().parent
# The machine is emulated, and slow.
LIMIT = 240


def tool(*words: str) -> None:
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL, timeout=LIMIT)


@contextlib.contextmanager
def switched_off(index: int) -> Iterator[None]:
    """A controller that the kernel lets go of, so that bumble can have it."""
    tool("controller", "off", str(index))
    try:
        yield
    finally:
        tool("controller", "on", str(index))


@contextlib.contextmanager
def daemon() -> Iterator[None]:
    script = HERE.parent / "BluetoothLab" / "daemon"
    # What it leaves running has its descriptors.
    with open("/run/daemon-output", "w", encoding="utf-8") as output:
        def say(what: str) -> None:
            subprocess.run([script, what], check=True, stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=LIMIT)

        say("on")
        try:
            yield
        finally:
            say("off")


class Bluetooth(check_programs.Programs):
    def our_kiosk(self, event: check_programs.Event, way: str, gatt: bool) -> None:
        """Bumble is the phone: it finds our kiosk, opens the channel and checks in."""
        name, capture = f"our kiosk, {event.name}, {way}", event.folder / "capture"
        how = ("--listen", "l2cap://hci0?psm=0", "--advertise", "--insecure-plaintext")
        with switched_off(2), self.kiosk(event, *how) as (_, url):
            phone = subprocess.run(
                [sys.executable, HERE / "bluetooth_attendee.py", "2", "--ticket", event.ada, "--issuer", event.issuer,
                 "--authenticator", MOCK_BIOMETRIC, "--capture", capture, *(["--gatt"] if gatt else [])],
                capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=LIMIT, check=False)
            events = {line["event"]: line for line in map(json.loads, phone.stdout.splitlines())}
            found, everything = events.get("found", {}), f"{url}\n{phone.stdout}{phone.stderr}"
            self.expect(
                f"{name}: its name and its PSM are on the air",
                found.get("name") == "Hall A" and f"psm={found.get('psm', 0):#06x}" in url, everything)
            if gatt:
                self.expect(
                    f"{name}: GATT has the same PSM and service data",
                    all(events.get("gatt", {}).get(what) == found.get(what, "") for what in ("psm", "service_data")),
                    everything)
            self.expect(
                f"{name}: the phone is admitted",
                (phone.returncode, events.get("result", {}).get("reason")) == (0, "admitted"), everything)
            self.capture(name, capture)

    def our_attendee(self, event: check_programs.Event, way: str, authenticator: str, *how: str) -> None:
        """Bumble is the kiosk: our attendee finds it and checks in."""
        name, capture = f"our attendee, {event.name}, {authenticator}, {way}", event.folder / "capture"
        with switched_off(2), subprocess.Popen(
            [sys.executable, HERE / "bluetooth_kiosk.py", "2", "--identity", event.kiosk, "--issuer",
             event.issuer, "--capture", capture, "--wait", str(LIMIT), *how],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as kiosk:
            try:
                said = json.loads(kiosk.stdout.readline() or "{}")
                ours = subprocess.run(
                    [self.folder / "attendee", "--discover", "--discover-at", "l2cap://hci1", "--discover-for",
                     str(LIMIT // 2), "--ticket", event.ada, "--issuer", event.issuer, "--authenticator", authenticator,
                     "--biometric", "accept", "--insecure-plaintext", "--json"],
                    capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=LIMIT, check=False)
                rest, errors = kiosk.communicate(timeout=LIMIT)
            finally:
                kiosk.kill()
        events = {line["event"]: line for line in map(json.loads, ours.stdout.splitlines())}
        everything = f"{said}\n{ours.stdout}{ours.stderr}\n{rest}{errors}"
        result, found = events.get("result", {}), events.get("kiosk_found", {})
        self.expect(
            f"{name}: is admitted",
            ours.returncode == 0 and result.get("success") is True and result.get("reason") == "admitted", everything)
        self.expect(f"{name}: the kiosk's name is heard", found.get("name") == "Hall A", everything)
        self.capture(name, capture)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    programs = Bluetooth(pathlib.Path(sys.argv[1]).resolve())

    def play(what, algorithm: int) -> None:
        with tempfile.TemporaryDirectory() as folder:
            try:
                what(check_programs.Event.made_here(folder, algorithm))
            except (OSError, RuntimeError, ValueError, subprocess.SubprocessError) as error:
                programs.expect("the programs over Bluetooth", False, f"{error}\n{getattr(error, 'stderr', '') or ''}")

    play(lambda event: programs.our_kiosk(event, "without bluetoothd", gatt=False), EDDSA)
    play(lambda event: programs.our_attendee(event, "without bluetoothd", MOCK_BIOMETRIC), ES256)
    with daemon():
        play(lambda event: programs.our_kiosk(event, "bluetoothd", gatt=True), ES256)
        play(lambda event: programs.our_attendee(event, "bluetoothd", PIN, "--type", "x", "--type", "PIN", "--public"), EDDSA)
    print(f"interop: {programs.passed} passed, {programs.failed} failed")
    return 1 if programs.failed else 0


if __name__ == "__main__":
    sys.exit(main())
