# SPDX-License-Identifier: Apache-2.0
"""Frames over a socket, one session, with everything bounded in time, and a capture of it where one is wanted."""

from __future__ import annotations

import json
import socket
import time

from checkin_peer import ATTENDEE, Conversation, Fault, KIOSK, PublicKey, SigningKey, frame, read_frame
from cose_sign import NAMES


class Ended(Exception):
    """The other side ended the connection, or was lost, or said nothing in time. `how` is one word."""

    def __init__(self, how: str):
        super().__init__(how)
        self.how = how


class Channel:
    """One side of one session over a connected socket, or something that is used like one.

    The session is bound to the connection (RFC 5056) where that has bytes for it: a plain socket has none.
    """

    def __init__(self, connection: socket.socket, role: int, capture: list | None = None):
        self.connection, self.role, self.capture = connection, role, capture
        self.conversation = Conversation(getattr(connection, "binding", b""))
        self.peer: PublicKey | None = None

    def send(self, key: SigningKey, **message) -> None:
        self.send_body(self.conversation.seal(self.role, key, message))

    def send_body(self, body: bytes) -> None:
        self._note(self.role, body)
        try:
            self.connection.settimeout(10)
            self.connection.sendall(frame(body))
        except OSError as error:
            raise Ended("lost") from error

    def receive_body(self, seconds: float) -> bytes:
        deadline = time.monotonic() + seconds

        def read(count: int) -> bytes:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Ended("timed_out")
            self.connection.settimeout(left)
            try:
                return self.connection.recv(count)
            except TimeoutError as error:
                raise Ended("timed_out") from error
            except OSError as error:
                raise Ended("lost") from error

        try:
            body = read_frame(read)
        except Fault as fault:
            raise (Ended("lost") if fault.reason == "frame_cut_off" else fault) from fault
        if body is None:
            raise Ended("finished")
        return body

    def receive(self, seconds: float) -> dict:
        """The next message of the peer that is not one to skip."""
        while True:
            message = self.open(self.receive_body(seconds))
            if message["type"] != "later":
                return message

    def open(self, body: bytes) -> dict:
        other = ATTENDEE if self.role == KIOSK else KIOSK
        message = self.conversation.open(other, self.peer, body)
        self._note(other, body)
        return message

    def _note(self, role: int, body: bytes) -> None:
        if self.capture is not None:
            self.capture.append({"from": "kiosk" if role == KIOSK else "attendee", "body": body.hex()})


def capture_lines(capture: list, issuer: PublicKey, event: str, binding: bytes = b"") -> str:
    header = {
        "capture": 1, "issuer": {"algorithm": NAMES[issuer.algorithm], "public": issuer.raw.hex()}, "event": event,
    } | ({"binding": binding.hex()} if binding else {})
    return "".join(json.dumps(line) + "\n" for line in [header, *capture])


def address(url: str) -> tuple[str, int]:
    """Host and port of a URL such as tcp://127.0.0.1:7443 or tls+tcp://[::1]:7443."""
    if not url.startswith(("tcp://", "tls+tcp://")):
        raise ValueError(f"“{url}” is no tcp:// address")
    host, separator, port = url.partition("://")[2].rpartition(":")
    if not separator or not port.isdigit() or not host:
        raise ValueError(f"“{url}” has no host and port, as in tcp://127.0.0.1:7443")
    return host.strip("[]"), int(port)
