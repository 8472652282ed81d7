# SPDX-License-Identifier: Apache-2.0
"""The fixed keys of the vectors. They are public and worth nothing: never use them for anything else."""

from __future__ import annotations

import hashlib

from cose_sign import EDDSA, ES256, SigningKey

HOLDERS = ("issuer", "other_issuer", "kiosk", "other_kiosk", "ada", "grace")
ED = "ed25519"
SUFFIXES = {EDDSA: ED, ES256: "es256"}


def secret(holder: str, algorithm: int) -> bytes:
    """SHA-256 of a text: below the order of P-256 for every text that is used here."""
    return hashlib.sha256(f"swift-checkin test key {holder} {SUFFIXES[algorithm]}".encode()).digest()


KEYS = {
    f"{holder}-{suffix}": SigningKey(algorithm, secret(holder, algorithm))
    for holder in HOLDERS
    for algorithm, suffix in SUFFIXES.items()
}


def fixed(name: str, count: int = 16) -> bytes:
    """Bytes that stand for random ones."""
    return hashlib.sha256(f"swift-checkin test bytes {name}".encode()).digest()[:count]
