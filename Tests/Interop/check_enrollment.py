# SPDX-License-Identifier: Apache-2.0
"""Enrolls at our server with a client that is not ours, and shows it what it must refuse.

`check_enrollment.py FOLDER`, where FOLDER has the built programs `organizer`, `enrollment-server` and `MakePicture`. The last line counts;
exits 1 when something failed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import cbor2

from enroll_client import Enrollment
from strict_cbor import Fault
from tls_socket import Container, Refused

PHONE = "+46701234567"


class Check:
    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, what: str, holds: bool, detail: object = "") -> None:
        self.passed += bool(holds)
        self.failed += not holds
        print(f"{'✓' if holds else '✗'} interop enrollment: {what}" + ("" if holds else f": {detail}"), flush=True)


@contextlib.contextmanager
def server(programs: pathlib.Path, folder: pathlib.Path):
    """Our server, and where it listens."""
    event, password = folder / "event", folder / "password"
    password.write_text("secret\n")
    password.chmod(0o600)

    def organizer(*words: str) -> None:
        subprocess.run([programs / "organizer", *words], check=True, capture_output=True, timeout=60)

    organizer("init", str(event), "--event", "Interop")
    organizer("enrollment", str(event), "--password-file", str(password))
    organizer("installation", str(event), "--password-file", str(password))
    command = [
        programs / "enrollment-server", "serve", "--listen", "tls+tcp://127.0.0.1:0", "--data", folder / "data", "--issuer",
        event / "issuer.pem", "--issuer-key", event / "issuer.key", "--container", event / "enrollment" / "server.p12",
        "--password-file", password, "--outbox", folder / "outbox", "--review-after", "0", "--sms-pause", "0", "--json",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            for line in process.stdout:
                said = json.loads(line)
                if said["event"] == "listening":
                    break
            else:
                raise RuntimeError("our server ended before it listened")
            yield said["endpoint"], Container(str(event / "enrollment" / "install.pfx"), b"secret")
        finally:
            process.terminate()
            process.communicate(timeout=60)


def code(folder: pathlib.Path) -> bytes:
    text = sorted((folder / "outbox").glob("*.sms"))[-1].read_text()
    head, _, body = text.partition("\n\n")
    if head != f"To: {PHONE}":
        raise RuntimeError(f"the message is to somebody else: {head}")
    return re.search(r"\b[0-9]{4}\b", body).group().encode()


def enroll(check: Check, programs: pathlib.Path, folder: pathlib.Path) -> None:
    with server(programs, folder) as (url, installation):
        client = os.urandom(16)
        line = Enrollment(url, installation, client)
        check.expect("the server proves itself, and says its name", line.hello[3] == "Enrollment", line.hello)
        check.expect("the built-in container opens no status", line.ask("kolla_statusen", "status-request")[1] == 7)
        answer = line.ask("skicka_sms", "send-code", k2=PHONE)
        check.expect("skicka_sms", answer[1] == 0, answer)
        request, right = os.urandom(16), code(folder)
        wrong = b"%04d" % ((int(right) + 1) % 10_000)
        answer = line.ask("registera_kund", "register", k2=PHONE, k3=request, k4=wrong)
        check.expect("a wrong code", answer[1] == 1 and answer[8] == 2, answer)
        answer = line.ask("registera_kund", "register", k2=PHONE, k3=request, k4=right)
        check.expect("registera_kund", answer[1] == 0 and len(answer[5]) == 16, answer)
        url_of_container, token = answer[4], answer[5]
        check.expect("its URL", re.fullmatch(r"enroll:/container/[0-9a-f]{64}", url_of_container), url_of_container)
        answer = line.ask("hamta_behallare", "fetch", k2=url_of_container)
        check.expect("hamta_behallare", answer[1] == 0, answer[1])
        again = line.ask("hamta_behallare", "fetch", k2=url_of_container)
        check.expect("the URL a second time", again[1] == 6, again)
        line.goodbye()
        path = folder / "personal.p12"
        path.write_bytes(answer[6])
        personal = Container(str(path), token.hex().encode())
        check.expect("the container opens with the token in hexadecimal", True)
        line = Enrollment(url, personal, client)
        picture = folder / "picture.jpg"
        subprocess.run([programs / "MakePicture", picture, "64", "80", "1", "1"], check=True, timeout=60)
        prove(check, line, picture.read_bytes())
        seal(check, line, token)
        line.goodbye()
        foreign(check, url, personal, client)


def prove(check: Check, line: Enrollment, picture: bytes) -> None:
    """From 228 to 0."""
    check.expect("228", line.ask("kolla_statusen", "status-request")[2] == 228)
    answer = line.ask("skicka_passnummer", "passport-number", k2="AB1234567")
    check.expect("skicka_passnummer leads to 222", answer[2] == 222, answer)
    digest, size = hashlib.sha256(picture).digest(), len(picture)
    for kind, operation, after in [(0, "skicka_pass", 227), (1, "skicka_selfie", 0)]:
        if kind == 0:
            text = b"no picture"
            answer = line.ask(operation, "upload", k2=hashlib.sha256(text).digest(), k3=len(text), k4=0, k5=text)
            check.expect("what is no picture", answer[1] == 11, answer)
            half = size // 2
            answer = line.ask(operation, "upload", k2=digest, k3=size, k4=0, k5=picture[:half])
            check.expect("half of a picture", answer[7] == half, answer)
            answer = line.ask("fraga_uppladdning", "resume", k2=digest, k3=size, k4=kind)
            check.expect("fraga_uppladdning", answer[7] == half, answer)
            answer = line.ask(operation, "upload", k2=digest, k3=size, k4=half, k5=picture[half:])
        else:
            # The same picture again: the server has it, and a piece without bytes hands it in.
            answer = line.ask("fraga_uppladdning", "resume", k2=digest, k3=size, k4=kind)
            check.expect("the same picture twice is one", answer[7] == size, answer)
            answer = line.ask(operation, "upload", k2=digest, k3=size, k4=size, k5=b"")
        check.expect(f"{operation} leads to 223", answer[1] == 0 and answer[2] == 223, answer)
        answer = line.ask("kolla_statusen", "status-request")
        check.expect(f"and that to {after}", answer[2] == after, answer)


def seal(check: Check, line: Enrollment, token: bytes) -> None:
    answer = line.ask("logga_in", "log-in", k2=bytes(16))
    check.expect("a wrong token is counted", answer[1] == 14 and answer[8] == 4, answer)
    answer = line.ask("logga_in", "log-in", k2=token)
    check.expect("logga_in", answer[1] == 0 and answer[2] == 0, answer)
    answer = line.ask("hamta_biljett", "ticket-request")
    claims = cbor2.loads(cbor2.loads(answer[10]).value[2])
    check.expect("the ticket names the key of the container", claims[8][1][-2] == line.key.public.raw, claims)


def foreign(check: Check, url: str, personal: Container, client: bytes) -> None:
    """What is signed for another place ends the connection without a word."""
    line = Enrollment(url, personal, client)
    line.sent = 2
    try:
        line.ask("kolla_statusen", "status-request")
        check.expect("a message out of its turn is refused", False)
    except (Fault, Refused, OSError):
        check.expect("a message out of its turn is refused", True)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    check = Check()
    with tempfile.TemporaryDirectory() as folder:
        try:
            enroll(check, pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder))
        except (Fault, Refused, OSError, RuntimeError, ValueError, KeyError, subprocess.SubprocessError) as error:
            check.expect("it goes to its end", False, f"{type(error).__name__}: {error}")
    print(f"interop enrollment: {check.passed} passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
