# SPDX-License-Identifier: Apache-2.0
"""Keys and COSE_Sign1 (Documentation/Protocol.md, sections 4 and 8), on `cryptography` alone."""

from __future__ import annotations

from dataclasses import dataclass

import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

from strict_cbor import Fault, decode, encode

EDDSA = -8
ES256 = -7
NAMES = {EDDSA: "EdDSA", ES256: "ES256"}
ALGORITHMS = {name: number for number, name in NAMES.items()}


@dataclass(frozen=True)
class PublicKey:
    """A raw public key: 32 bytes for EdDSA; x then y, 64 bytes, for ES256."""

    algorithm: int
    raw: bytes

    def __post_init__(self):
        if len(self.raw) != {EDDSA: 32, ES256: 64}.get(self.algorithm):
            raise Fault("bad_key", "a public key of the wrong size")

    def verify(self, signature: bytes, message: bytes) -> bool:
        if len(signature) != 64:
            return False
        try:
            if self.algorithm == EDDSA:
                ed25519.Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
            else:
                point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + self.raw)
                r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
                point.verify(utils.encode_dss_signature(r, s), message, ec.ECDSA(hashes.SHA256()))
        except (InvalidSignature, ValueError):
            return False
        return True

    def pem(self) -> bytes:
        if self.algorithm == EDDSA:
            key = ed25519.Ed25519PublicKey.from_public_bytes(self.raw)
        else:
            key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + self.raw)
        return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)

    def cose_key(self) -> dict:
        if self.algorithm == EDDSA:
            return {1: 1, -1: 6, -2: self.raw}
        return {1: 2, -1: 1, -2: self.raw[:32], -3: self.raw[32:]}

    @staticmethod
    def from_cose_key(value) -> "PublicKey":
        if not isinstance(value, dict) or -4 in value:
            raise Fault("bad_key", "the key in cnf is no public COSE_Key")
        if 3 in value and value[3] != {1: EDDSA, 2: ES256}.get(value.get(1)):
            raise Fault("bad_key", "the key in cnf is for another algorithm")
        x, y = value.get(-2), value.get(-3)
        if value.get(1) == 1 and value.get(-1) == 6 and isinstance(x, bytes) and len(x) == 32:
            return PublicKey(EDDSA, x)
        if value.get(1) == 2 and value.get(-1) == 1 and isinstance(x, bytes) and isinstance(y, bytes):
            if len(x) == 32 and len(y) == 32:
                return PublicKey(ES256, x + y)
        raise Fault("bad_key", "the key in cnf is of no kind that version 1 knows")


class SigningKey:
    """A private key from its 32 raw bytes: the seed of Ed25519, or the scalar of P-256."""

    def __init__(self, algorithm: int, secret: bytes):
        self.algorithm = algorithm
        self.secret = secret
        if algorithm == EDDSA:
            self._key = ed25519.Ed25519PrivateKey.from_private_bytes(secret)
            raw = self._key.public_key().public_bytes_raw()
        elif algorithm == ES256:
            self._key = ec.derive_private_key(int.from_bytes(secret, "big"), ec.SECP256R1())
            numbers = self._key.public_key().public_numbers()
            raw = numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
        else:
            raise Fault("bad_key", "a key of no algorithm that version 1 knows")
        self.public = PublicKey(algorithm, raw)

    @staticmethod
    def generate(algorithm: int) -> "SigningKey":
        if algorithm == EDDSA:
            return SigningKey(EDDSA, ed25519.Ed25519PrivateKey.generate().private_bytes_raw())
        number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        return SigningKey(ES256, number.to_bytes(32, "big"))

    def private(self):
        """The key as `cryptography` has it."""
        return self._key

    def sign(self, message: bytes) -> bytes:
        if self.algorithm == EDDSA:
            return self._key.sign(message)
        # RFC 6979: the same bytes each time, so that vectors can be made again and compared.
        scheme = ec.ECDSA(hashes.SHA256(), deterministic_signing=True)
        r, s = utils.decode_dss_signature(self._key.sign(message, scheme))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")


@dataclass(frozen=True)
class Sign1:
    """A COSE_Sign1 that was taken apart. Nothing of it is believed before `verify`."""

    protected: bytes
    header: dict
    unprotected: dict
    payload: bytes
    signature: bytes

    @property
    def algorithm(self) -> int:
        return self.header[1]

    def verify(self, key: PublicKey, external_aad: bytes) -> None:
        if self.algorithm != key.algorithm:
            raise Fault("wrong_algorithm", "the algorithm is not the key's")
        if not key.verify(self.signature, sig_structure(self.protected, external_aad, self.payload)):
            raise Fault("bad_signature", "the signature does not verify")


def sig_structure(protected: bytes, external_aad: bytes, payload: bytes) -> bytes:
    return encode(["Signature1", protected, external_aad, payload])


def sign(key: SigningKey, payload: bytes, external_aad: bytes, header: dict | None = None, unprotected=None) -> bytes:
    protected = encode({1: key.algorithm} if header is None else header)
    signature = key.sign(sig_structure(protected, external_aad, payload))
    return encode(cbor2.CBORTag(18, [protected, unprotected or {}, payload, signature]))


def open_message(body: bytes) -> Sign1:
    """Takes a message's body apart. Header and shape are exactly those of section 4."""
    sign1 = _open(body)
    if sign1.unprotected:
        raise Fault("unprotected_header", "the unprotected header is not empty")
    if sign1.protected not in (encode({1: EDDSA}), encode({1: ES256})):
        reason = "critical_header" if 2 in sign1.header else "protected_header"
        raise Fault(reason, "the protected header is not exactly {1: alg}")
    return sign1


def open_cwt(data: bytes) -> Sign1:
    """Takes a ticket or credential apart: other headers are skipped, as section 8 says."""
    if data[:2] == b"\xd8\x3d":
        decode(data)
        data = data[2:]
    sign1 = _open(data)
    if 1 in sign1.unprotected or 2 in sign1.unprotected:
        raise Fault("unprotected_header", "alg or crit stands in the unprotected header")
    if 4 in sign1.header and 4 in sign1.unprotected:
        raise Fault("unprotected_header", "kid stands in both headers")
    if 2 in sign1.header:
        raise Fault("critical_header", "a critical header that version 1 does not know")
    if sign1.header.get(1) not in NAMES:
        raise Fault("protected_header", "no algorithm that version 1 knows")
    return sign1


def _open(data: bytes) -> Sign1:
    value = decode(data)
    if not isinstance(value, cbor2.CBORTag) or value.tag != 18:
        raise Fault("wrong_tag", "not a COSE_Sign1 with tag 18")
    parts = value.value
    if not isinstance(parts, list) or len(parts) != 4:
        raise Fault("wrong_shape", "a COSE_Sign1 has four parts")
    protected, unprotected, payload, signature = parts
    if not (isinstance(protected, bytes) and isinstance(unprotected, dict) and isinstance(payload, bytes)):
        raise Fault("wrong_shape", "a part of the COSE_Sign1 has the wrong type")
    if not isinstance(signature, bytes) or len(signature) != 64:
        raise Fault("wrong_shape", "the signature has not 64 bytes")
    header = decode(protected)
    if not isinstance(header, dict):
        raise Fault("protected_header", "the protected header is no map")
    return Sign1(protected, header, unprotected, payload, signature)
