# SPDX-License-Identifier: Apache-2.0
"""Lists of what was taken back, signed by the issuer (Documentation/Protocol.md, section 19)."""

from __future__ import annotations

from dataclasses import dataclass

from cose_sign import PublicKey, SigningKey, open_message, sign
from strict_cbor import Fault, decode, encode

LARGEST = 16 << 20
AAD = encode(["checkin/1", "revocations"])


@dataclass(frozen=True)
class Revocations:
    event: str
    number: int
    issued: int
    attendees: list[str]
    serials: list[bytes]

    def take_back(self, attendee: str, serial: bytes) -> bool:
        """Whether a ticket or certificate of this attendee, with this serial, was taken back."""
        significant = {one.lstrip(b"\x00") for one in self.serials}
        return attendee in self.attendees or serial.lstrip(b"\x00") in significant


def payload(event: str, number: int, issued: int, attendees=(), serials=()) -> bytes:
    return encode({
        0: 1, 1: event, 2: number, 3: issued, 4: sorted(set(attendees), key=encode), 5: sorted(set(serials), key=encode),
    })


def make(issuer: SigningKey, **content) -> bytes:
    return sign(issuer, payload(**content), AAD)


def read(data: bytes, issuer: PublicKey, event: str, last: int = 0) -> Revocations:
    """Verifies and reads a list. `last` is the largest number that was taken before."""
    if len(data) > LARGEST:
        raise Fault("too_long", "a list has at most 16 MiB")
    sign1 = open_message(data)
    sign1.verify(issuer, AAD)
    value = decode(sign1.payload)
    if not isinstance(value, dict) or list(value) != [0, 1, 2, 3, 4, 5] or value[0] != 1 or value[0] is True:
        raise Fault("bad_list", "not exactly the parts of version 1")

    def expect(holds: bool, what: str) -> None:
        if not holds:
            raise Fault("bad_list", what)

    def is_text(item) -> bool:
        return isinstance(item, str) and 1 <= len(item.encode()) <= 256

    number, issued = value[2], value[3]
    expect(is_text(value[1]), "the event is no text of 1 to 256 bytes")
    expect(type(number) is int and 1 <= number < 1 << 63, "the number")
    expect(type(issued) is int and -(1 << 63) <= issued < 1 << 63, "the time")
    for key in (4, 5):
        items = value[key]
        expect(isinstance(items, list), f"part {key} is no array")
        encoded = [encode(item) for item in items]
        expect(encoded == sorted(set(encoded)), f"part {key} is not in order, or has something twice")
    expect(all(map(is_text, value[4])), "an attendee is no text of 1 to 256 bytes")
    expect(all(isinstance(item, bytes) and 1 <= len(item) <= 64 for item in value[5]), "a serial")
    if value[1] != event:
        raise Fault("wrong_event", "the list is another event's")
    if number < last:
        raise Fault("old_list", "a newer list was taken before")
    return Revocations(value[1], number, issued, value[4], value[5])
