# SPDX-License-Identifier: Apache-2.0
"""Deterministic CBOR, strictly read (Documentation/Protocol.md, section 3).

`cbor2` gives the values. It accepts more than the protocol does, and its `canonical=True` sorts keys in the older
length-first order. So every input is judged here first, byte by byte, and maps are written with sorted keys by hand.
"""

from __future__ import annotations

import io

import cbor2

MAXIMUM_DEPTH = 8


class Fault(Exception):
    """Something that the protocol refuses. `reason` is a stable word, used by the vectors."""

    def __init__(self, reason: str, text: str):
        super().__init__(f"{text} ({reason})")
        self.reason = reason


def encode(value) -> bytes:
    """The one encoding of a value: int, bytes, str, bool, None, list, dict or CBORTag."""
    if isinstance(value, dict):
        pairs = sorted((encode(key), encode(item)) for key, item in value.items())
        return _head(5, len(pairs)) + b"".join(key + item for key, item in pairs)
    if isinstance(value, (list, tuple)):
        return _head(4, len(value)) + b"".join(encode(item) for item in value)
    if isinstance(value, cbor2.CBORTag):
        return _head(6, value.tag) + encode(value.value)
    if value is None or isinstance(value, (bool, int, bytes, str)):
        return cbor2.dumps(value)
    raise TypeError(f"no CBOR for {type(value).__name__}")


def decode(data: bytes):
    """The value of one deterministic item that fills `data`. Raises Fault for everything else."""
    judge(data)
    stream = io.BytesIO(data)
    try:
        value = cbor2.CBORDecoder(stream).decode()
    except (cbor2.CBORDecodeError, ValueError) as error:
        raise Fault("not_cbor", f"cbor2 refuses it: {error}") from error
    if stream.tell() != len(data) and stream.read():
        raise Fault("trailing_bytes", "bytes are left over")
    return value


def judge(data: bytes) -> None:
    """Raises Fault unless `data` is exactly one deterministic item."""
    end = _judge_item(data, 0, 0)
    if end != len(data):
        raise Fault("trailing_bytes", f"bytes are left over at byte {end}")


def _head(major: int, argument: int) -> bytes:
    if argument < 24:
        return bytes([major << 5 | argument])
    for information, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if argument < 1 << 8 * size:
            return bytes([major << 5 | information]) + argument.to_bytes(size, "big")
    raise ValueError("the argument does not fit 64 bits")


def _read_head(data: bytes, at: int) -> tuple[int, int, int]:
    if at >= len(data):
        raise Fault("truncated", f"the bytes end too early at byte {at}")
    major, information = data[at] >> 5, data[at] & 31
    if major == 7:
        if information in (20, 21, 22):
            return major, information, at + 1
        if information == 31:
            raise Fault("indefinite_length", f"a break at byte {at}")
        raise Fault("unsupported_value", f"a float or unknown simple value at byte {at}")
    if information < 24:
        return major, information, at + 1
    if information <= 27:
        size = 1 << (information - 24)
        if len(data) - at - 1 < size:
            raise Fault("truncated", f"the bytes end too early at byte {at}")
        argument = int.from_bytes(data[at + 1 : at + 1 + size], "big")
        if argument < (24 if size == 1 else 1 << 4 * size):
            raise Fault("not_shortest", f"a number is not in its shortest form at byte {at}")
        return major, argument, at + 1 + size
    if information == 31 and major in (2, 3, 4, 5):
        raise Fault("indefinite_length", f"a length is left open at byte {at}")
    raise Fault("reserved", f"a reserved value at byte {at}")


def _judge_item(data: bytes, at: int, depth: int) -> int:
    start = at
    major, argument, at = _read_head(data, at)
    if major in (0, 1, 7):
        return at
    if major in (2, 3):
        if argument > len(data) - at:
            raise Fault("truncated", f"a string is cut off at byte {start}")
        content = data[at : at + argument]
        if major == 3:
            try:
                content.decode("utf-8")
            except UnicodeDecodeError as error:
                raise Fault("not_utf8", f"a text is not UTF-8 at byte {start}") from error
        return at + argument
    if depth >= MAXIMUM_DEPTH:
        raise Fault("too_deep", f"the nesting is too deep at byte {start}")
    if major == 6:
        end = _judge_item(data, at, depth + 1)
        if argument in (2, 3):
            inner, length, content = _read_head(data, at)
            if inner != 2:
                raise Fault("wrong_type", f"a bignum without bytes at byte {start}")
            if length <= 8 or data[content] == 0:
                raise Fault("not_shortest", f"a bignum that fits a plain number at byte {start}")
        return end
    if argument * (2 if major == 5 else 1) > len(data) - at:
        raise Fault("truncated", f"more items are promised than there are bytes at byte {start}")
    if major == 4:
        for _ in range(argument):
            at = _judge_item(data, at, depth + 1)
        return at
    previous = None
    for _ in range(argument):
        key_start = at
        at = _judge_item(data, at, depth + 1)
        key = data[key_start:at]
        if previous == key:
            raise Fault("duplicate_key", f"a key is in a map twice at byte {key_start}")
        if previous is not None and previous > key:
            raise Fault("keys_not_sorted", f"the keys of a map are not sorted at byte {key_start}")
        previous = key
        at = _judge_item(data, at, depth + 1)
    return at
