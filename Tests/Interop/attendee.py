# SPDX-License-Identifier: Apache-2.0
"""An attendee that is not the library's: checks in at a kiosk over TCP or TLS, and tells the course in JSON lines.

Exit status as the attendee program has it: 0 admitted, 1 refused, 2 no answer, 64 usage, 65 a file is wrong,
69 cannot reach or the certificate was refused, 76 the kiosk broke the protocol.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys

import identity_files
from attendee_session import Attendee, check_in
from channel import Channel, Ended, address, capture_lines
from checkin_peer import ATTENDEE, Fault, MOCK_BIOMETRIC, PIN
from tls_socket import Container, Refused, TLSSocket


def tell(event: str, **more) -> None:
    print(json.dumps({"event": event} | more), flush=True)


def open_container(arguments: argparse.Namespace) -> Container:
    if not arguments.container or not arguments.password_file:
        raise ValueError("tls+tcp needs --container and --password-file")
    try:
        with open(arguments.password_file, "rb") as file:
            password = file.readline().rstrip(b"\r\n")
    except OSError as error:
        raise identity_files.FileProblem(f"{arguments.password_file}: {error.strerror}") from error
    return Container(arguments.container, password)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="tcp://host:port or tls+tcp://host:port")
    parser.add_argument("--ticket", required=True, metavar="FILE")
    parser.add_argument("--issuer", required=True, metavar="FILE")
    parser.add_argument("--container", metavar="FILE", help="for tls+tcp: key and certificate, PKCS #12")
    parser.add_argument("--password-file", metavar="FILE", help="whose first line is the container's password")
    parser.add_argument("--authenticator", choices=[MOCK_BIOMETRIC, PIN], action="append")
    parser.add_argument("--request", metavar="HEX", help="the id of an earlier request, to ask again")
    parser.add_argument("--capture", metavar="FILE", help="write what was said for check_capture.py")
    try:
        arguments = parser.parse_args()
    except SystemExit as end:
        return 64 if end.code else 0
    try:
        host, port = address(arguments.url)
        key, token = identity_files.ticket(arguments.ticket)
        issuer, event = identity_files.issuer(arguments.issuer)
        container = open_container(arguments) if arguments.url.startswith("tls+") else None
    except ValueError as error:
        print(f"attendee.py: {error}", file=sys.stderr)
        return 64
    except identity_files.FileProblem as error:
        print(f"attendee.py: {error}", file=sys.stderr)
        return 65
    attendee = Attendee(key, token, issuer, event, arguments.authenticator or [MOCK_BIOMETRIC, PIN])
    if arguments.request:
        attendee.request = bytes.fromhex(arguments.request)
    capture: list = []
    try:
        connection = socket.create_connection((host, port), timeout=10)
    except OSError as error:
        print(f"attendee.py: {arguments.url} cannot be reached: {error}", file=sys.stderr)
        return 69
    if container is not None:
        try:
            connection = TLSSocket(connection, container, issuer)
        except (Refused, OSError) as refused:
            tell("certificate_refused", text=str(refused), alert=getattr(refused, "alert", None))
            return 69
    tell("connected", url=arguments.url, request=attendee.request.hex())
    with connection:
        try:
            result = check_in(Channel(connection, ATTENDEE, capture), attendee, tell)
        except Fault as fault:
            tell("protocol_error", why=fault.reason, text=str(fault))
            return 76
        except Refused as refused:
            # In TLS 1.3 the other side judges our certificate after we have done our part (R23).
            tell("certificate_refused", text=str(refused), alert=refused.alert)
            return 69
        except Ended as end:
            tell("no_answer", why=end.how)
            return 2
        finally:
            if arguments.capture:
                with open(arguments.capture, "w", encoding="ascii") as file:
                    file.write(capture_lines(capture, issuer, event, getattr(connection, "binding", b"")))
    if result is None:
        return 2
    tell("result", success=result["success"], reason=result["name"], admitted_at=result.get("admitted_at"),
         gate=result.get("gate"), retry_after=result.get("retry_after"))
    return 0 if result["success"] else 1


if __name__ == "__main__":
    sys.exit(main())
