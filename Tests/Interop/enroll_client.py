# SPDX-License-Identifier: Apache-2.0
"""A client of an enrollment server, written from Documentation/Enrollment.md alone. It asks; what to ask is its caller's."""

from __future__ import annotations

import hashlib
import os
import socket
import time

import cbor2
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

import cose_sign
from channel import address
from cose_sign import EDDSA, PublicKey, SigningKey
from schema import PATH, Schemas
from strict_cbor import Fault, decode, encode
from tls_socket import Container, TLSSocket

SERVER, CLIENT = 0, 1
FRAME_LIMIT = 65_536
SCHEMA = Schemas(PATH.with_name("enrollment.cddl"))


def signing_key(container: Container) -> SigningKey:
    raw = container.key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    return SigningKey(EDDSA, raw)


def aad(role: int, sequence: int, *parts: bytes) -> bytes:
    return encode(["enroll/1", role, sequence, hashlib.sha256(encode(list(parts))).digest()])


class Enrollment:
    """One connection to the server at a URL, with a container."""

    def __init__(self, url: str, container: Container, client: bytes):
        host, port = address(url)
        self.socket = TLSSocket(socket.create_connection((host, port), 10), container, None, peer="enrollment")
        public = self.socket.tls.get_peer_certificate().to_cryptography().public_key()
        self.server = PublicKey(EDDSA, public.public_bytes(Encoding.Raw, PublicFormat.Raw))
        self.key, self.binding = signing_key(container), self.socket.binding
        self.sent = self.received = 1
        hello = self._receive()
        self.hello = self._opened(hello, aad(SERVER, 0, self.binding), "hello")
        if 1 not in self.hello[1]:
            raise Fault("wrong_version", "the server does not speak version 1")
        opening = {0: 2, 1: 1, 2: os.urandom(16), 3: client, 4: int(time.time())}
        body = self._sealed(opening, aad(CLIENT, 0, self.binding, hello), "opening")
        self.parts = (self.binding, hello, body)
        self._send(body)

    def ask(self, operation: str, rule: str, **keys) -> dict:
        """The answer to an operation; `k2` is the key 2."""
        request = {0: 3, 1: operation} | {int(name[1:]): value for name, value in keys.items()}
        self._send(self._sealed(request, aad(CLIENT, self.sent, *self.parts), rule))
        self.sent += 1
        answer = self._opened(self._receive(), aad(SERVER, self.received, *self.parts), "answer")
        self.received += 1
        return answer

    def goodbye(self) -> None:
        self._send(self._sealed({0: 8}, aad(CLIENT, self.sent, *self.parts), "goodbye"))
        self._opened(self._receive(), aad(SERVER, self.received, *self.parts), "goodbye")
        self.socket.__exit__()

    def _sealed(self, message: dict, external: bytes, rule: str) -> bytes:
        payload = encode(message)
        fault = SCHEMA.fault(rule, payload)
        if fault is not None:
            raise Fault("bad_shape", f"pycddl, {rule}: {fault}")
        return cose_sign.sign(self.key, payload, external)

    def _opened(self, body: bytes, external: bytes, rule: str) -> dict:
        sign1 = cose_sign.open_message(body)
        sign1.verify(self.server, external)
        decode(sign1.payload)
        fault = SCHEMA.fault(rule, sign1.payload)
        if fault is not None:
            raise Fault("bad_shape", f"pycddl, {rule}: {fault}")
        return cbor2.loads(sign1.payload)

    def _send(self, body: bytes) -> None:
        self.socket.sendall(len(body).to_bytes(4, "big") + body)

    def _receive(self) -> bytes:
        length = int.from_bytes(self._exactly(4), "big")
        if not 0 < length <= FRAME_LIMIT:
            raise Fault("bad_frame", f"a frame of {length} bytes")
        return self._exactly(length)

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise Fault("frame_cut_off", "the server ended the connection")
            data += piece
        return data
