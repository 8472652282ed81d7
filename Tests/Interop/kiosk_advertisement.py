# SPDX-License-Identifier: Apache-2.0
"""What a kiosk says of itself over Bluetooth LE, byte for byte: written from Documentation/Bluetooth.md alone."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass

SERVICE = "05958059-E5B0-411D-901B-73BBD41FC1F6"
# Apple's CBUUIDL2CAPPSMCharacteristicString.
PSM_CHARACTERISTIC = "ABDD3056-28FA-441D-A470-55A75A52553A"
SERVICE_DATA_CHARACTERISTIC = "7C7E5B12-334D-48E2-A908-F41AFCD6E1DF"
SERVICE_DATA, SHORT_NAME, COMPLETE_NAME = 0x21, 0x08, 0x09
NAME_LIMIT = 29
PSMS = range(0x80, 0x100)

_ON_AIR = bytes.fromhex(SERVICE.replace("-", ""))[::-1]


class NotAKiosk(ValueError):
    """An advertisement that has the service's data and is not a kiosk's of version 1."""


@dataclass(frozen=True)
class Advertisement:
    psm: int
    event: bytes
    name: str | None = None
    shortened: bool = False
    tls: bool = False

    def fields(self) -> bytes:
        """What stands behind the UUID in the service data, and is to be read by GATT too."""
        return bytes([0x11 if self.tls else 0x10]) + self.psm.to_bytes(2, "little") + self.event


def short_event(event: str) -> bytes:
    """The short event id of an event's identifier."""
    return hashlib.sha256(event.encode()).digest()[:4]


def write(psm: int, event: bytes, name: str, tls: bool = False) -> tuple[bytes, bytes]:
    """The advertisement without its flags, and the scan response."""
    if psm not in PSMS or len(event) != 4:
        raise ValueError("no PSM or no short event id")
    text = "".join(character for character in name if unicodedata.category(character) != "Cc")
    kept = text
    while len(kept.encode()) > NAME_LIMIT:
        kept = kept[:-1]
    data = _structure(SERVICE_DATA, _ON_AIR + Advertisement(psm, event, tls=tls).fields())
    if not kept:
        return data, b""
    return data, _structure(COMPLETE_NAME if kept == text else SHORT_NAME, kept.encode())


def read(data: bytes) -> Advertisement | None:
    """Advertisement and scan response, joined. None when it is nobody's or another service's."""
    structures = _structures(data)
    if structures is None:
        return None
    found = [value[16:] for kind, value in structures if kind == SERVICE_DATA and value[:16] == _ON_AIR]
    if not found:
        return None
    if len(found) > 1:
        raise NotAKiosk("the service data is there twice")
    fields = found[0]
    if len(fields) != 7 or fields[0] not in (0x10, 0x11):
        raise NotAKiosk("another version, other flags, or another length")
    tls = fields[0] == 0x11
    psm = int.from_bytes(fields[1:3], "little")
    if psm not in PSMS:
        raise NotAKiosk("the PSM is out of range")
    names = [(kind, value) for kind, value in structures if kind in (SHORT_NAME, COMPLETE_NAME)]
    if len(names) > 1:
        raise NotAKiosk("the name is there twice")
    if not names:
        return Advertisement(psm, fields[3:], tls=tls)
    kind, raw = names[0]
    try:
        name = raw.decode()
    except UnicodeDecodeError as error:
        raise NotAKiosk("the name is not UTF-8") from error
    if not 0 < len(raw) <= NAME_LIMIT or any(unicodedata.category(character) == "Cc" for character in name):
        raise NotAKiosk("the name is empty, too long, or has control characters")
    return Advertisement(psm, fields[3:], name, kind == SHORT_NAME, tls)


def _structure(kind: int, value: bytes) -> bytes:
    return bytes([len(value) + 1, kind]) + value


def _structures(data: bytes) -> list[tuple[int, bytes]] | None:
    result, at = [], 0
    while at < len(data):
        length = data[at]
        if at + 1 + length > len(data):
            return None
        if length > 0:
            result.append((data[at + 1], data[at + 2 : at + 1 + length]))
        at += 1 + length
    return result
