# SPDX-License-Identifier: Apache-2.0
"""What a signature binds (Documentation/Protocol.md, section 5): role, sequence and context of one session."""

from __future__ import annotations

import hashlib
import struct

import cose_sign
import messages
from messages import ATTENDEE, KIOSK
from strict_cbor import Fault, encode

FRAME_LIMIT = 65_536


def context(binding: bytes, *bodies: bytes) -> bytes:
    return hashlib.sha256(encode([binding, *bodies])).digest()


def external_aad(role: int, sequence: int, session_context: bytes) -> bytes:
    return encode(["checkin/1", role, sequence, session_context])


class Conversation:
    """One session as both sides see it: who sent how many messages, and what is hashed so far."""

    def __init__(self, binding: bytes = b""):
        self.binding = binding
        self.hello: bytes | None = None
        self.request: bytes | None = None
        self.sent = {KIOSK: 0, ATTENDEE: 0}
        self.ended: set[int] = set()

    @property
    def context(self) -> bytes:
        return context(self.binding, *[body for body in (self.hello, self.request) if body is not None])

    @property
    def transcript(self) -> bytes:
        if self.request is None:
            raise Fault("wrong_time", "there is no transcript before the initial request")
        return self.context

    def next_aad(self, role: int) -> bytes:
        return external_aad(role, self.sent[role], self.context)

    def seal(self, role: int, key: cose_sign.SigningKey, message: dict) -> bytes:
        body = cose_sign.sign(key, messages.to_payload(message), self.next_aad(role))
        self._note(role, message["type"], body)
        return body

    def open(self, role: int, key: cose_sign.PublicKey, body: bytes) -> dict:
        """Verifies the next message of `role` and takes it into account."""
        sign1 = cose_sign.open_message(body)
        sign1.verify(key, self.next_aad(role))
        message = messages.from_payload(sign1.payload)
        self._note(role, message["type"], body)
        return message

    def _note(self, role: int, name: str, body: bytes) -> None:
        self._check_turn(role, name)
        if name == "hello":
            self.hello = body
        elif name == "initial_request":
            self.request = body
        elif name == "goodbye":
            self.ended.add(role)
        self.sent[role] += 1

    def _check_turn(self, role: int, name: str) -> None:
        if role in self.ended:
            raise Fault("wrong_turn", "a message after the sender's goodbye")
        if name != "later" and messages.sender_of(name) not in (None, role):
            raise Fault("wrong_turn", f"{name} comes from the other side")
        expected = {"hello": (None, None), "initial_request": (True, None)}.get(name, (True, True))
        if (self.hello is not None, self.request is not None) != tuple(map(bool, expected)):
            raise Fault("wrong_turn", f"{name} may not come now")


def frame(body: bytes) -> bytes:
    if not 0 < len(body) <= FRAME_LIMIT:
        raise Fault("frame_length", "a body has 1 to 65,536 bytes")
    return struct.pack(">I", len(body)) + body


def read_frame(read) -> bytes | None:
    """The next body from `read(count)`, which gives up to `count` bytes; None at the end of the stream."""
    head = _read_exactly(read, 4, at_start=True)
    if head is None:
        return None
    (length,) = struct.unpack(">I", head)
    if not 0 < length <= FRAME_LIMIT:
        raise Fault("frame_length", f"a frame of {length} bytes")
    return _read_exactly(read, length)


def _read_exactly(read, count: int, at_start: bool = False) -> bytes | None:
    data = b""
    while len(data) < count:
        more = read(count - len(data))
        if not more:
            if at_start and not data:
                return None
            raise Fault("frame_cut_off", "the stream ends inside a frame")
        data += more
    return data
