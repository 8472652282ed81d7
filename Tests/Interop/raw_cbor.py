# SPDX-License-Identifier: Apache-2.0
"""CBOR put together by hand: what no encoder would write."""

from __future__ import annotations

from checkin_peer import encode


def raw(head: str, *parts: bytes) -> bytes:
    return bytes.fromhex(head) + b"".join(parts)


def bstr(content: bytes) -> bytes:
    return encode(content)


def nested(depth: int) -> list:
    return [nested(depth - 1)] if depth > 1 else []
