# SPDX-License-Identifier: Apache-2.0
"""Tickets that must be refused."""

from __future__ import annotations

import make_vectors
import tickets
from checkin_peer import KIOSK, decode, encode, external_aad
from cose_sign import sign
from raw_cbor import bstr, raw
from vector_keys import ED, KEYS


def ticket_with(claims=None, header=None, unprotected=None, without=(), key=f"issuer-{ED}", change=None) -> bytes:
    """A ticket of Ada's with other claims or headers, rightly signed."""
    value = decode(decode(make_vectors.ticket(f"issuer-{ED}", f"ada-{ED}")).value[2]) | (claims or {})
    for label in without:
        value.pop(label)
    payload = encode(change(value) if change else value)
    return sign(KEYS[key], payload, b"", header={1: KEYS[key].algorithm} | (header or {}), unprotected=unprotected)


def tickets_refused() -> list[dict]:
    good = make_vectors.ticket(f"issuer-{ED}", f"ada-{ED}")
    bad = []

    def entry(name, data, why, reason, issuer=f"issuer-{ED}"):
        bad.append({"name": name, "issuer": issuer, "bytes": data.hex(), "why": why, "reason": reason})

    protected, _, payload, signature = decode(good).value
    join = lambda p, u, y, s: raw("d284", bstr(p), u, bstr(y), bstr(s))
    entry("no bytes", b"", "unknown", "truncated")
    entry("a word", b"letmein", "unknown", "truncated")
    entry("without the tag", good[1:], "unknown", "wrong_tag")
    entry("signed by another issuer", make_vectors.ticket(f"other_issuer-{ED}", f"ada-{ED}"), "forged", "bad_signature")
    entry("signed by its own key", ticket_with(key=f"ada-{ED}"), "forged", "bad_signature")
    entry("another algorithm", make_vectors.ticket("issuer-es256", f"ada-{ED}"), "forged", "wrong_algorithm")
    entry("a changed claim", join(protected, b"\xa0", payload.replace(b"Ada", b"Eve"), signature), "forged",
          "bad_signature")
    entry("signed as a message", sign(KEYS[f"issuer-{ED}"], payload, external_aad(KIOSK, 0, bytes(32))), "forged",
          "bad_signature")
    entry("a byte too many", good + b"\x00", "malformed", "trailing_bytes")
    entry("a byte too few", good[:-1], "malformed", "truncated")
    entry("length not shortest", raw("d2845803", protected, b"\xa0", bstr(payload), bstr(signature)), "malformed",
          "not_shortest")
    entry("crit", ticket_with(header={2: [99], 99: 1}), "malformed", "critical_header")
    entry("crit in the unprotected header", ticket_with(unprotected={2: [99], 99: 1}), "malformed",
          "unprotected_header")
    entry("alg in the unprotected header", ticket_with(unprotected={1: -8}), "malformed", "unprotected_header")
    entry("kid in both headers", ticket_with(header={4: b"a"}, unprotected={4: b"a"}), "malformed",
          "unprotected_header")
    entry("tag 61 twice", b"\xd8\x3d\xd8\x3d" + good, "unknown", "wrong_tag")
    entry("claims no map", ticket_with(change=lambda value: [1]), "malformed", "bad_claims")
    for label, name in ((1, "iss"), (2, "sub"), (8, "cnf"), (tickets.ROLE, "role"), (tickets.NAME, "name"),
                        (7, "cti"), (tickets.EVENT_NAME, "event name")):
        entry(f"without {name}", ticket_with(without=(label,)), "malformed", "bad_claims")
    for label, value, name in (
        (1, b"meetup-2026", "iss as bytes"), (2, 7, "sub as a number"), (4, "soon", "exp as text"),
        (5, b"", "nbf as bytes"), (6, [1], "iat as an array"), (7, "serial", "cti as text"),
        (tickets.ROLE, "attendee", "role as text"), (tickets.NAME, 1, "name as a number"),
        (tickets.GATES, "North", "gates as text"), (tickets.GATES, [1], "a gate as a number"),
        (tickets.EVENT_NAME, 1, "event name as a number"), (4, 1 << 63, "exp of 2^63"),
        (8, b"", "cnf as bytes"), (8, {}, "cnf without a key"), (8, {3: b"kid"}, "cnf with a key id only"),
    ):
        entry(name, ticket_with(claims={label: value}), "malformed", "bad_key" if name.startswith("cnf w") else
              "bad_claims")
    x = KEYS[f"ada-{ED}"].public.raw
    p = KEYS["ada-es256"].public.raw
    for name, key in (
        ("key of X25519", {1: 1, -1: 4, -2: x}), ("key of P-384", {1: 2, -1: 2, -2: bytes(48), -3: bytes(48)}),
        ("symmetric key", {1: 4, -1: bytes(32)}), ("key of 31 bytes", {1: 1, -1: 6, -2: x[:31]}),
        ("compressed point", {1: 2, -1: 1, -2: p[:32], -3: True}), ("no y", {1: 2, -1: 1, -2: p[:32]}),
        ("with the private part", {1: 1, -1: 6, -2: x, -4: bytes(32)}),
        ("alg of another kind", {1: 1, 3: -7, -1: 6, -2: x}),
    ):
        entry(f"cnf: {name}", ticket_with(claims={8: {1: key}}), "malformed", "bad_key")
    entry("a kiosk's credential", make_vectors.credential(f"issuer-{ED}", f"kiosk-{ED}"), "wrong_role", "wrong_role")
    for label, value, name in (
        (tickets.ROLE, 3, "a role that nobody knows"), (tickets.ROLE, 0, "role 0"), (tickets.GATES, [], "no gate at all"),
        (tickets.GATES, [str(index) for index in range(65)], "65 gates"), (tickets.GATES, ["g" * 129], "a gate of 129 bytes"),
        (1, "", "empty iss"), (2, "", "empty sub"), (7, b"", "empty cti"), (7, bytes(65), "cti of 65 bytes"),
        (1, "e" * 257, "iss of 257 bytes"), (tickets.NAME, "ü" * 129, "name of 258 bytes"),
        (tickets.EVENT_NAME, "e" * 257, "event name of 257 bytes"), (b"x", 1, "bytes as key"), (1 << 63, 1, "key of 2^63"),
    ):
        entry(name, ticket_with(claims={label: value}), "malformed", "bad_claims")
    entry("more than 4096 bytes", ticket_with(claims={99: bytes(4096)}), "malformed", "too_long")
    return bad
