# SPDX-License-Identifier: Apache-2.0
"""A kiosk that is not the library's: serves sessions over TCP, one after the other, and tells the course in JSON lines.

It keeps what it admitted in memory only. Exit status: 0 all sessions were served, 64 usage, 65 a file is wrong, 69 the
address cannot be used, 76 an attendee broke the protocol.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys

import identity_files
from channel import Channel, Ended, address, capture_lines
from checkin_peer import Fault, KIOSK, MOCK_BIOMETRIC, PIN
from kiosk_session import Kiosk, serve


def tell(event: str, **more) -> None:
    print(json.dumps({"event": event} | more), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="tcp://host:port; port 0 takes a free one")
    parser.add_argument("--identity", required=True, metavar="FILE")
    parser.add_argument("--issuer", required=True, metavar="FILE")
    parser.add_argument("--gate", default="North")
    parser.add_argument("--authenticators", default=f"{MOCK_BIOMETRIC},{PIN}")
    parser.add_argument("--sessions", type=int, default=1, help="end after so many (default 1)")
    parser.add_argument("--wait", type=float, default=60, help="seconds to wait for each attendee (default 60)")
    parser.add_argument("--type", action="append", default=[], metavar="DIGITS",
                        help="typed on the keypad once there is a PIN; the word PIN types the right one")
    parser.add_argument("--capture", metavar="FILE", help="write what was said in the last session for check_capture.py")
    try:
        arguments = parser.parse_args()
    except SystemExit as end:
        return 64 if end.code else 0
    try:
        host, port = address(arguments.url)
        key, credential = identity_files.identity(arguments.identity)
        issuer, event = identity_files.issuer(arguments.issuer)
    except ValueError as error:
        print(f"kiosk.py: {error}", file=sys.stderr)
        return 64
    except identity_files.FileProblem as error:
        print(f"kiosk.py: {error}", file=sys.stderr)
        return 65
    kiosk = Kiosk(key, credential, issuer, event, arguments.gate, arguments.authenticators.split(","),
                  typed=arguments.type)
    try:
        listener = socket.create_server((host, port))
    except OSError as error:
        print(f"kiosk.py: {arguments.url} cannot be used: {error}", file=sys.stderr)
        return 69
    status = 0
    with listener:
        listener.settimeout(arguments.wait)
        bound = listener.getsockname()
        tell("listening", endpoint=f"tcp://{bound[0]}:{bound[1]}")
        for _ in range(arguments.sessions):
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                print("kiosk.py: nobody came", file=sys.stderr)
                return 69
            status = max(status, session(connection, kiosk, arguments.capture, issuer, event))
    return status


def session(connection: socket.socket, kiosk: Kiosk, path: str | None, issuer, event: str) -> int:
    capture: list = []
    with connection:
        try:
            serve(Channel(connection, KIOSK, capture), kiosk, tell)
        except Fault as fault:
            tell("protocol_error", why=fault.reason, text=str(fault))
            return 76
        except Ended as end:
            tell("session_ended", why=end.how)
        finally:
            if path:
                with open(path, "w", encoding="ascii") as file:
                    file.write(capture_lines(capture, issuer, event))
    return 0


if __name__ == "__main__":
    sys.exit(main())
