# SPDX-License-Identifier: Apache-2.0
"""Vectors of signed lists of what was taken back: those that must be read, and those that must be refused."""

from __future__ import annotations

import cbor2

import make_vectors
import revocations
from checkin_peer import KIOSK, decode, encode, external_aad
from cose_sign import open_message, sig_structure, sign
from vector_keys import KEYS, fixed

ED = "ed25519"


def a_list(issuer: str = f"issuer-{ED}", **more) -> bytes:
    content = {
        "event": make_vectors.EVENT, "number": make_vectors.NOW, "issued": make_vectors.NOW,
        "attendees": ["grace", "ada"], "serials": [fixed("serial ada", 8)],
    } | more
    return revocations.make(KEYS[issuer], **content)


def accepted() -> list[dict]:
    result = []

    def add(name: str, data: bytes, issuer: str = f"issuer-{ED}", event: str = make_vectors.EVENT, note: str = "") -> None:
        it = revocations.read(data, KEYS[issuer].public, event)
        sign1 = open_message(data)
        result.append({
            "name": name, "note": note, "issuer": issuer, "bytes": data.hex(), "payload": sign1.payload.hex(),
            "external_aad": revocations.AAD.hex(),
            "sig_structure": sig_structure(sign1.protected, revocations.AAD, sign1.payload).hex(),
            "list": {
                "event": it.event, "number": it.number, "issued": it.issued, "attendees": it.attendees,
                "serials": [serial.hex() for serial in it.serials],
            },
        })

    for suffix in (ED, "es256"):
        add(f"list-{suffix}", a_list(f"issuer-{suffix}"), f"issuer-{suffix}")
    add("nothing", a_list(attendees=[], serials=[]), note="nothing is taken back")
    add("largest-number", a_list(number=(1 << 63) - 1, issued=-(1 << 63)), note="a time before 1970 is one too")
    longest = "ü" * 128
    add("longest", a_list(event="e" * 256, attendees=[longest, "x" * 256], serials=[b"\xff" * 64, b"\x00"]), event="e" * 256)
    add("order", a_list(attendees=["b", "aa", "a", "é", "e\u0301"], serials=[b"\x02", b"\x01\x00", b"\x00\x01"]),
        note="shorter items first; two spellings of a letter are two ids; zeros in front are kept")
    return result


def refused() -> list[dict]:
    good = a_list()
    protected, _, payload, signature = decode(good).value
    value = decode(payload)
    issuer = KEYS[f"issuer-{ED}"]
    result = []

    def entry(name: str, data: bytes, why: str, reason: str, last: int = 0) -> None:
        result.append({
            "name": name, "issuer": f"issuer-{ED}", "event": make_vectors.EVENT, "last": last, "bytes": data.hex(),
            "why": why, "reason": reason,
        })

    def signed(content: bytes) -> bytes:
        return sign(issuer, content, revocations.AAD)

    def changed(key: int, item) -> bytes:
        return signed(encode(value | {key: item}))

    entry("no bytes", b"", "not_a_list", "truncated")
    entry("a word", b"revoked", "not_a_list", "truncated")
    entry("without the tag", good[1:], "not_a_list", "wrong_tag")
    entry("inside the CWT tag", b"\xd8\x3d" + good, "not_a_list", "wrong_tag")
    entry("a byte too many", good + b"\x00", "malformed", "trailing_bytes")
    entry("a byte too few", good[:-1], "malformed", "truncated")
    entry("signed by another issuer", a_list(f"other_issuer-{ED}"), "forged", "bad_signature")
    entry("signed by the issuer's other key", a_list("issuer-es256"), "forged", "wrong_algorithm")
    entry("signed as a ticket", sign(issuer, payload, b""), "forged", "bad_signature")
    entry("signed as a message", sign(issuer, payload, external_aad(KIOSK, 0, bytes(32))), "forged", "bad_signature")
    entry("a ticket", make_vectors.ticket(f"issuer-{ED}", f"ada-{ED}"), "forged", "bad_signature")
    entry("a changed id", encode(cbor2.CBORTag(18, [protected, {}, payload.replace(b"grace", b"grade"), signature])), "forged",
          "bad_signature")
    entry("kid in the header", sign(issuer, payload, revocations.AAD, header={1: -8, 4: b"a"}), "malformed", "protected_header")
    entry("crit", sign(issuer, payload, revocations.AAD, header={1: -8, 2: [99], 99: 1}), "malformed", "critical_header")
    entry("an unprotected header", sign(issuer, payload, revocations.AAD, unprotected={99: 1}), "malformed",
          "unprotected_header")
    entry("an array", signed(encode([1])), "malformed", "bad_list")
    for key, name in enumerate(("version", "event", "number", "time", "attendees", "serials")):
        entry(f"without {name}", signed(encode({k: v for k, v in value.items() if k != key})), "malformed", "bad_list")
    entry("with one part more", changed(6, []), "malformed", "bad_list")
    entry("with a text as key", signed(encode(value | {"x": 1})), "malformed", "bad_list")
    for key, item, name in (
        (0, 2, "version 2"), (1, "", "no event"), (1, b"meetup-2026", "event as bytes"), (1, "e" * 257, "event of 257 bytes"),
        (2, 0, "number 0"), (2, -1, "number -1"), (2, 1 << 63, "number of 2^63"), (2, "7", "number as text"),
        (3, "now", "time as text"), (3, 1 << 63, "time of 2^63"), (4, "ada", "attendees as text"), (4, [1], "an attendee as a number"),
        (4, [""], "an attendee without letters"), (4, ["x" * 257], "an attendee of 257 bytes"),
        (4, ["b", "a"], "attendees out of order"), (4, ["aa", "b"], "a longer attendee first"), (4, ["a", "a"], "an attendee twice"),
        (5, ["a"], "a serial as text"), (5, [b""], "a serial without bytes"), (5, [bytes(65)], "a serial of 65 bytes"),
        (5, [b"\x02", b"\x01"], "serials out of order"), (5, [b"\x01", b"\x01"], "a serial twice"),
    ):
        entry(name, changed(key, item), "malformed", "bad_list")
    entry("keys out of order", signed(b"\xa6" + b"".join(encode(k) + encode(v) for k, v in reversed(value.items()))), "malformed",
          "keys_not_sorted")
    entry("an array without a length", signed(payload[: payload.index(b"\x05\x81")] + b"\x05\x9f\xff"), "malformed",
          "indefinite_length")
    entry("another event's", a_list(event="winter"), "wrong_event", "wrong_event")
    entry("an older one", good, "older", "old_list", last=make_vectors.NOW + 1)
    return result


def vectors() -> dict:
    return {"accepted": accepted(), "refused": refused()}
