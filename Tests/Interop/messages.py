# SPDX-License-Identifier: Apache-2.0
"""The payloads of version 1 (Documentation/Protocol.md, sections 6 and 13).

A message is a dict by name, such as {"type": "pin", "pin": "01234", "lifetime": 120, "attempts_left": 3}.
"""

from __future__ import annotations

from strict_cbor import Fault, decode, encode

REASONS = [
    "admitted", "already_admitted", "wrong_pin", "pin_expired", "too_many_attempts", "not_yet_valid", "expired",
    "revoked", "wrong_gate", "wrong_event", "clock_skew", "busy", "cancelled", "internal",
    "authenticator_not_accepted", "confirmation_failed", "superseded",
]
NOTICES = {1: "waiting", 2: "on_screen", 3: "wrong_pin", 4: "confirmation_failed"}
KIOSK, ATTENDEE = 0, 1


def _uint(item):
    return type(item) is int and 0 <= item < 1 << 64


def _reason(item):
    return type(item) is int and 0 <= item < len(REASONS)


def _wait(item):
    return type(item) is int and 0 <= item < 1 << 32


def _seconds(item):
    return type(item) is int and -(1 << 63) <= item < 1 << 63


def _boolean(item):
    return type(item) is bool


def _id16(item):
    return type(item) is bytes and len(item) == 16


def _bytes(low, high):
    return lambda item: type(item) is bytes and low <= len(item) <= high


def _text(low, high):
    return lambda item: type(item) is str and low <= len(item.encode()) <= high


def _list(low, high, check):
    return lambda item: type(item) is list and low <= len(item) <= high and all(map(check, item))


def _pin(item):
    return type(item) is str and len(item) == 5 and all(digit in "0123456789" for digit in item)


# type: (name, the side that sends it, {key: (name, check, required)})
SHAPES = {
    1: ("hello", KIOSK, {
        1: ("versions", _list(1, 16, _uint), True),
        2: ("session", _id16, True),
        3: ("nonce", _id16, True),
        4: ("credential", _bytes(0, 4096), True),
        5: ("authenticators", _list(0, 16, _text(0, 64)), True),
        6: ("gate", _text(0, 128), True),
        7: ("time", _seconds, True),
    }),
    2: ("initial_request", ATTENDEE, {
        1: ("version", _uint, True),
        2: ("request", _id16, True),
        3: ("nonce", _id16, True),
        4: ("token", _bytes(0, 4096), True),
        5: ("time", _seconds, True),
    }),
    3: ("pin", KIOSK, {
        1: ("pin", _pin, True),
        2: ("lifetime", _wait, True),
        3: ("attempts_left", _uint, True),
    }),
    4: ("check_in_request", ATTENDEE, {
        1: ("request", _id16, True),
        2: ("pin", _pin, True),
        3: ("authenticator", _text(0, 64), True),
        4: ("evidence", _bytes(0, 4096), True),
    }),
    5: ("result", KIOSK, {
        1: ("request", _id16, True),
        2: ("success", _boolean, True),
        3: ("reason", _reason, True),
        4: ("admitted_at", _seconds, False),
        5: ("gate", _text(0, 128), False),
        6: ("retry_after", _wait, False),
    }),
    6: ("notice", KIOSK, {1: ("code", _uint, True), 2: ("number", _uint, False)}),
    7: ("cancel", ATTENDEE, {}),
    8: ("goodbye", None, {}),
}
NUMBERS = {name: number for number, (name, _, _) in SHAPES.items()}


def to_payload(message: dict) -> bytes:
    number = NUMBERS[message["type"]]
    fields = SHAPES[number][2]
    values = {key: message[name] for key, (name, _, _) in fields.items() if message.get(name) is not None}
    payload = encode({0: number} | values)
    from_payload(payload)
    return payload


def from_payload(payload: bytes) -> dict:
    """Reads a payload. A type of 64 and above gives {"type": "later", "number": …}: the caller skips it."""
    value = decode(payload)
    if not isinstance(value, dict):
        raise Fault("not_a_message", "the payload is no map")
    number = value.get(0)
    if not _uint(number):
        raise Fault("not_a_message", "there is no type")
    if number >= 64:
        return {"type": "later", "number": number}
    if number not in SHAPES:
        raise Fault("unknown_type", f"type {number} is not known")
    for key in value:
        if not _seconds(key):
            raise Fault("key_not_integer", "a key is no integer of 64 bits")
        if key < 0:
            raise Fault("critical_key", "a negative key that version 1 does not know")
    name, _, fields = SHAPES[number]
    message = {"type": name}
    for key, (field, check, required) in fields.items():
        if key in value:
            if not check(value[key]):
                raise Fault("bad_value", f"{name}: {field} has the wrong type or size")
            message[field] = value[key]
        elif required:
            raise Fault("missing_key", f"{name}: {field} is missing")
    if name == "result" and message["success"] != (message["reason"] == 0):
        raise Fault("bad_value", "result: success and reason disagree")
    if name == "notice":
        if message["code"] not in NOTICES:
            raise Fault("bad_value", "notice: the code is not known")
        if message["code"] != 2 and "number" not in message:
            raise Fault("missing_key", "notice: the number is missing")
    return message


def sender_of(name: str) -> int | None:
    """The side that sends a message; None for both."""
    return SHAPES[NUMBERS[name]][1]
