# SPDX-License-Identifier: Apache-2.0
"""The files that the organizer program writes: text with PEM blocks (RFC 7468). What stands outside of blocks is skipped.

| file | blocks |
|---|---|
| ticket | `CHECKIN TICKET` (a CWT), or `CHECKIN TOKEN` (bytes that a list knows), and `PRIVATE KEY` (PKCS #8) |
| kiosk's identity | `CHECKIN KIOSK CREDENTIAL` (a CWT) and `PRIVATE KEY` |
| issuer | `PUBLIC KEY`, and `CHECKIN ISSUER`: two lines, the event's id and name; a `CERTIFICATE` may follow |
"""

from __future__ import annotations

import base64
import binascii
import pathlib
import re

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from cose_sign import EDDSA, ES256, PublicKey, SigningKey

BLOCK = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----\s(.*?)-----END \1-----", re.DOTALL)


class FileProblem(Exception):
    """A file that cannot be used, in words."""


def blocks(path: str) -> list[tuple[str, bytes]]:
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
        found = [(label, base64.b64decode("".join(body.split()), validate=True)) for label, body in BLOCK.findall(text)]
    except OSError as error:
        raise FileProblem(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, binascii.Error) as error:
        raise FileProblem(f"{path}: not a text of PEM blocks: {error}") from error
    if not found:
        raise FileProblem(f"{path}: there is no PEM block in it")
    return found


def one(path: str, *labels: str) -> bytes:
    """The content of the one block that has one of these labels."""
    found = [data for label, data in blocks(path) if label in labels]
    if len(found) != 1:
        raise FileProblem(f"{path}: it has {len(found)} blocks {' or '.join(labels)}, not one")
    return found[0]


def ticket(path: str) -> tuple[SigningKey, bytes]:
    """The key and the token of a ticket file."""
    return signing_key(path, one(path, "PRIVATE KEY")), one(path, "CHECKIN TICKET", "CHECKIN TOKEN")


def identity(path: str) -> tuple[SigningKey, bytes]:
    """The key and the credential of a kiosk's identity."""
    return signing_key(path, one(path, "PRIVATE KEY")), one(path, "CHECKIN KIOSK CREDENTIAL")


def issuer(path: str) -> tuple[PublicKey, str]:
    """The issuer's public key, and the event's id."""
    event = one(path, "CHECKIN ISSUER").decode("utf-8").split("\n")[0]
    key = serialization.load_der_public_key(one(path, "PUBLIC KEY"))
    if isinstance(key, ed25519.Ed25519PublicKey):
        return PublicKey(EDDSA, key.public_bytes_raw()), event
    if isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1):
        numbers = key.public_numbers()
        return PublicKey(ES256, numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")), event
    raise FileProblem(f"{path}: the key is neither Ed25519 nor P-256")


def signing_key(path: str, data: bytes) -> SigningKey:
    try:
        key = serialization.load_der_private_key(data, password=None)
    except (ValueError, TypeError) as error:
        raise FileProblem(f"{path}: the private key cannot be read: {error}") from error
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return SigningKey(EDDSA, key.private_bytes_raw())
    if isinstance(key, ec.EllipticCurvePrivateKey) and isinstance(key.curve, ec.SECP256R1):
        return SigningKey(ES256, key.private_numbers().private_value.to_bytes(32, "big"))
    raise FileProblem(f"{path}: the key is neither Ed25519 nor P-256")


def write_holder(path: str, key: SigningKey, label: str, credential: bytes) -> None:
    """A ticket file or a kiosk's identity."""
    private = key.private().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    pathlib.Path(path).write_text(f"# A note.\n{_block(label, credential)}{private}", encoding="ascii")


def write_issuer(path: str, key: PublicKey, event: str, name: str) -> None:
    facts = _block("CHECKIN ISSUER", f"{event}\n{name}".encode())
    pathlib.Path(path).write_text(f"# A note.\n{facts}{key.pem().decode()}", encoding="ascii")


def write_block(path: str, label: str, data: bytes) -> None:
    pathlib.Path(path).write_text(f"# A note.\n{_block(label, data)}", encoding="ascii")


def _block(label: str, data: bytes) -> str:
    text = base64.b64encode(data).decode()
    lines = "".join(text[at : at + 64] + "\n" for at in range(0, len(text), 64))
    return f"-----BEGIN {label}-----\n{lines}-----END {label}-----\n"
