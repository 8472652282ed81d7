# SPDX-License-Identifier: Apache-2.0
"""The files that the organizer program writes: text with PEM blocks (RFC 7468).

A ticket or a kiosk's identity has a `PRIVATE KEY` (PKCS #8) and one block with the credential, a CWT. The issuer's
public file has a `PUBLIC KEY`. What else stands in a file is skipped.
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


def identity(path: str) -> tuple[SigningKey, bytes]:
    """The key and the credential of a ticket file or a kiosk's identity."""
    key = credential = None
    for label, data in blocks(path):
        if label == "PRIVATE KEY":
            key = signing_key(path, data)
        elif data[:1] == b"\xd2" or data[:3] == b"\xd8\x3d\xd2":
            credential = data
    if key is None or credential is None:
        raise FileProblem(f"{path}: it has not both a private key and a credential")
    return key, credential


def issuer(path: str) -> PublicKey:
    """The issuer's public key."""
    for label, data in blocks(path):
        if label == "PUBLIC KEY":
            key = serialization.load_der_public_key(data)
            if isinstance(key, ed25519.Ed25519PublicKey):
                return PublicKey(EDDSA, key.public_bytes_raw())
            if isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1):
                numbers = key.public_numbers()
                return PublicKey(ES256, numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big"))
            raise FileProblem(f"{path}: the key is neither Ed25519 nor P-256")
    raise FileProblem(f"{path}: there is no public key in it")


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


def write_identity(path: str, key: SigningKey, label: str, credential: bytes) -> None:
    private = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    text = key.private().private_bytes(*private).decode()
    body = base64.encodebytes(credential).decode()
    pathlib.Path(path).write_text(f"{text}-----BEGIN {label}-----\n{body}-----END {label}-----\n", encoding="ascii")
