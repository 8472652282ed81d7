# SPDX-License-Identifier: Apache-2.0
"""Tickets and kiosk credentials: CWTs of the issuer's (Documentation/Protocol.md, section 8)."""

from __future__ import annotations

from dataclasses import dataclass

import cwt

from cose_sign import EDDSA, PublicKey, SigningKey, open_cwt, sign
from strict_cbor import Fault, decode, encode

LEEWAY = 300
ATTENDEE = 1
KIOSK = 2
ROLE, NAME, GATES, EVENT_NAME = -70001, -70002, -70003, -70004


@dataclass(frozen=True)
class Claims:
    event: str
    subject: str
    role: int
    name: str
    key: PublicKey
    expires: int | None
    not_before: int | None
    issued: int | None
    serial: bytes
    gates: list[str] | None
    event_name: str

    def time_fault(self, now: int) -> str | None:
        """The reason's name where the times of section 9 do not hold."""
        if self.issued is not None and now + LEEWAY < self.issued:
            return "clock_skew"
        if self.not_before is not None and now + LEEWAY < self.not_before:
            return "not_yet_valid"
        if self.expires is not None and now - LEEWAY >= self.expires:
            return "expired"
        return None


def make(
    issuer: SigningKey, *, event: str, subject: str, role: int, name: str, key: PublicKey, event_name: str,
    serial: bytes, gates=None, issued=None, not_before=None, expires=None, kid=None, tag61=False,
) -> bytes:
    claims = {1: event, 2: subject, 8: {1: key.cose_key()}, ROLE: role, NAME: name, 7: serial, EVENT_NAME: event_name}
    optional = {4: expires, 5: not_before, 6: issued, GATES: gates}
    claims.update({label: value for label, value in optional.items() if value is not None})
    header = {1: issuer.algorithm} | ({4: kid} if kid is not None else {})
    token = sign(issuer, encode(claims), b"", header=header)
    return b"\xd8\x3d" + token if tag61 else token


def read(data: bytes, issuer: PublicKey) -> Claims:
    """Verifies the issuer's signature, twice by different code, and reads the claims."""
    if len(data) > 4096:
        raise Fault("too_long", "a token has at most 4096 bytes")
    sign1 = open_cwt(data)
    sign1.verify(issuer, b"")
    claims = claims_of(decode(sign1.payload))
    second_opinion(data, issuer)
    return claims


def second_opinion(data: bytes, issuer: PublicKey) -> None:
    """The library `cwt` verifies and reads the same token. Times are judged by section 9, so it gets endless leeway."""
    sign1 = open_cwt(data)
    kid = sign1.header.get(4, sign1.unprotected.get(4))
    okp = issuer.algorithm == EDDSA
    parameters = {1: 1 if okp else 2, 3: issuer.algorithm, 4: [2], -1: 6 if okp else 1, -2: issuer.raw[:32]}
    if not okp:
        parameters[-3] = issuer.raw[32:]
    if kid is not None:
        parameters[2] = kid
    reader = cwt.CWT.new(leeway=10**12)
    reader.cose.verify_kid = kid is not None
    try:
        claims = reader.decode(data, cwt.COSEKey.new(parameters))
    except Exception as error:  # the library raises many kinds
        raise Fault("second_opinion", f"the cwt library refuses what this peer accepts: {error!r}") from error
    if encode(claims) != sign1.payload:
        raise Fault("second_opinion", "the cwt library reads other claims")


def claims_of(value) -> Claims:
    if not isinstance(value, dict):
        raise Fault("bad_claims", "the claims are no map")

    def take(key, kind, required, low=0, high=256):
        if key not in value:
            if required:
                raise Fault("bad_claims", f"claim {key} is missing")
            return None
        item = value[key]
        if not isinstance(item, kind) or isinstance(item, bool):
            raise Fault("bad_claims", f"claim {key} has the wrong type")
        if kind is int and not -(1 << 63) <= item < 1 << 63:
            raise Fault("bad_claims", f"claim {key} does not fit 64 bits")
        if kind in (str, bytes) and not low <= len(item.encode() if kind is str else item) <= high:
            raise Fault("bad_claims", f"claim {key} is empty or too long")
        return item

    for key in value:
        if not isinstance(key, str) and (type(key) is not int or not -(1 << 63) <= key < 1 << 63):
            raise Fault("bad_claims", "a claim's key is neither a text nor an integer of 64 bits")
    role = take(ROLE, int, True)
    if role not in (ATTENDEE, KIOSK):
        raise Fault("bad_claims", "a role that version 1 does not know")
    gates = take(GATES, list, False)
    if gates is not None:
        if not 1 <= len(gates) <= 64:
            raise Fault("bad_claims", "1 to 64 gates")
        if not all(isinstance(gate, str) and len(gate.encode()) <= 128 for gate in gates):
            raise Fault("bad_claims", "a gate is no text, or is too long")
    return Claims(
        event=take(1, str, True, low=1), subject=take(2, str, True, low=1), role=role, name=take(NAME, str, True),
        key=PublicKey.from_cose_key(take(8, dict, True).get(1)), expires=take(4, int, False),
        not_before=take(5, int, False), issued=take(6, int, False), serial=take(7, bytes, True, low=1, high=64),
        gates=gates, event_name=take(EVENT_NAME, str, True),
    )
