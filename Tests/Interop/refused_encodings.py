# SPDX-License-Identifier: Apache-2.0
"""CBOR and frames that must be refused, and the edges of what must be accepted."""

from __future__ import annotations

import struct

import cbor2

from checkin_peer import encode, frame
from raw_cbor import nested


def cbor() -> dict:
    accepted = [
        0, 1, 23, 24, 255, 256, 65535, 65536, (1 << 32) - 1, 1 << 32, (1 << 64) - 1, -1, -24, -25, -256, -257,
        -(1 << 64), b"", b"\x00" * 23, b"\x00" * 24, "", "a", "ü", "水", "𐅑", "\x00", [], [1, [2, 3]], {}, False, True,
        None, {24: 2, -1: 3, 9: 1, "aa": 8, "b": 7, b"z": 5}, nested(8), cbor2.CBORTag(18, []), cbor2.CBORTag(61, 0),
    ]
    refused = {
        "": "truncated", "0000": "trailing_bytes", "18": "truncated", "1800": "not_shortest", "1817": "not_shortest",
        "190000": "not_shortest", "1900ff": "not_shortest", "1a00000000": "not_shortest", "1a0000ffff": "not_shortest",
        "1b0000000000000000": "not_shortest", "1b00000000ffffffff": "not_shortest", "3817": "not_shortest",
        "3900ff": "not_shortest", "1c": "reserved", "1d": "reserved", "1e": "reserved", "1f": "reserved",
        "3f": "reserved", "41": "truncated", "580161": "not_shortest", "5f4161ff": "indefinite_length",
        "61": "truncated", "61ff": "not_utf8", "62c080": "not_utf8", "63eda080": "not_utf8", "64f4908080": "not_utf8",
        "7f6161ff": "indefinite_length", "81": "truncated", "9fff": "indefinite_length", "980100": "not_shortest",
        "a100": "truncated", "a201000000": "keys_not_sorted", "a200000000": "duplicate_key",
        "a2200018ff00": "keys_not_sorted", "bfff": "indefinite_length", "b8010000": "not_shortest", "c0": "truncated",
        "d81200": "not_shortest", "df00": "reserved", "e0": "unsupported_value", "f7": "unsupported_value",
        "f800": "unsupported_value", "f814": "unsupported_value", "f8ff": "unsupported_value",
        "f90000": "unsupported_value", "fa00000000": "unsupported_value", "fb0000000000000000": "unsupported_value",
        "ff": "indefinite_length", "c24101": "not_shortest", "c249000000000000000000": "not_shortest",
        "c3480000000000000001": "not_shortest", "8181818181818181" + "80": "too_deep", "c1c1c1c1c1c1c1c1c100": "too_deep",
        "9bffffffffffffffff": "truncated", "bbffffffffffffffff": "truncated", "5bffffffffffffffff": "truncated",
        "7b7fffffffffffffff": "truncated",
    }
    return {
        "accepted": [encode(value).hex() for value in accepted],
        "refused": [{"bytes": data, "reason": reason} for data, reason in refused.items()],
    }


def frames() -> dict:
    bodies = [b"\x00", bytes(range(256)), b"\xff" * 3]
    whole = b"".join(map(frame, bodies))
    head = lambda length: struct.pack(">I", length)
    return {
        "limit": 65_536,
        "accepted": [
            {"name": "three frames", "stream": whole.hex(), "bodies": [body.hex() for body in bodies]},
            {"name": "no frame", "stream": "", "bodies": []},
        ],
        "refused": [
            {"name": "length zero", "stream": head(0).hex(), "bodies": [], "reason": "frame_length"},
            {"name": "length zero after a frame", "stream": (frame(b"a") + head(0)).hex(), "bodies": ["61"],
             "reason": "frame_length"},
            {"name": "one above the limit", "stream": head(65_537).hex(), "bodies": [], "reason": "frame_length"},
            {"name": "the largest length", "stream": head(0xFFFFFFFF).hex(), "bodies": [], "reason": "frame_length"},
            {"name": "least significant byte first", "stream": (b"\x01\x00\x00\x00a").hex(), "bodies": [],
             "reason": "frame_length"},
            {"name": "cut inside the length", "stream": (frame(b"a") + b"\x00\x00").hex(), "bodies": ["61"],
             "reason": "frame_cut_off"},
            {"name": "cut inside the body", "stream": (head(5) + b"abcd").hex(), "bodies": [],
             "reason": "frame_cut_off"},
            {"name": "cut before the body", "stream": head(5).hex(), "bodies": [], "reason": "frame_cut_off"},
            {"name": "text", "stream": b"GET / HTTP/1.1\r\n".hex(), "bodies": [], "reason": "frame_length"},
        ],
    }
