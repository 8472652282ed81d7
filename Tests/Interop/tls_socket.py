# SPDX-License-Identifier: Apache-2.0
"""The part of a socket that a Channel uses, inside mutual TLS 1.3 (Documentation/Protocol.md, “Certificates and containers”).

It is written with pyOpenSSL, because Python's own `ssl` does not give the bytes of RFC 9266 to bind a session to.
"""

from __future__ import annotations

import pathlib
import socket
import time

from OpenSSL import SSL, crypto
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography import x509

from cose_sign import PublicKey
from identity_files import FileProblem

PROTOCOL = b"checkin/1"
LABEL = b"EXPORTER-Channel-Binding"


class Refused(Exception):
    """The handshake failed. Where the other side said why, `alert` is the number of RFC 8446 section 6."""

    def __init__(self, text: str, alert: int | None = None):
        super().__init__(text)
        self.alert = alert


class Container:
    """A PKCS #12 file: key, certificate, and the issuer's certificate."""

    def __init__(self, path: str, password: bytes):
        try:
            key, certificate, others = pkcs12.load_key_and_certificates(pathlib.Path(path).read_bytes(), password)
        except (OSError, ValueError) as error:
            raise FileProblem(f"{path}: {error}") from error
        if key is None or certificate is None or not others:
            raise FileProblem(f"{path}: it does not hold a key, its certificate and the issuer's")
        self.key, self.certificate, self.issuer = key, certificate, others[0]


def role(certificate: x509.Certificate) -> str:
    """What the certificate says its holder is: checkin:EVENT/ROLE/ID."""
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    uris = [uri for uri in names.get_values_for_type(x509.UniformResourceIdentifier) if uri.startswith("checkin:")]
    if len(uris) != 1:
        raise Refused(f"the certificate has {len(uris)} names of this system")
    return uris[0].removeprefix("checkin:").split("/")[1]


class TLSSocket:
    """The dialling side."""

    def __init__(self, connection: socket.socket, container: Container, issuer: PublicKey, peer: str = "kiosk"):
        context = SSL.Context(SSL.TLS_CLIENT_METHOD)
        context.set_min_proto_version(SSL.TLS1_3_VERSION)
        context.use_certificate(crypto.X509.from_cryptography(container.certificate))
        context.use_privatekey(crypto.PKey.from_cryptography_key(container.key))
        context.set_alpn_protos([PROTOCOL])
        context.get_cert_store().add_cert(crypto.X509.from_cryptography(container.issuer))
        context.set_verify(SSL.VERIFY_PEER, lambda _connection, _certificate, _number, _depth, verdict: bool(verdict))
        self.socket, self.timeout = connection, 10.0
        self.tls = SSL.Connection(context, None)
        self.tls.set_connect_state()
        self._finish_handshake()
        if self.tls.get_alpn_proto_negotiated() != PROTOCOL:
            raise Refused("the other side does not speak checkin/1")
        if role(self.tls.get_peer_certificate().to_cryptography()) != peer:
            raise Refused(f"the other side is no {peer}")
        self.binding = self.tls.export_keying_material(LABEL, 32, b"")

    def _finish_handshake(self) -> None:
        deadline = time.monotonic() + 10
        while True:
            try:
                self.tls.do_handshake()
                return self._flush()
            except SSL.WantReadError:
                self._flush()
                self._feed(deadline)
            except SSL.Error as error:
                self._flush()
                raise refusal(error) from error

    def _flush(self) -> None:
        while True:
            try:
                leaving = self.tls.bio_read(65536)
            except SSL.WantReadError:
                return
            self.socket.settimeout(10)
            self.socket.sendall(leaving)

    def _feed(self, deadline: float) -> bool:
        """Takes in what has arrived; False at the end of the connection."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.socket.settimeout(left)
        arrived = self.socket.recv(65536)
        if not arrived:
            return False
        self.tls.bio_write(arrived)
        return True

    def settimeout(self, seconds: float) -> None:
        self.timeout = seconds

    def sendall(self, data: bytes) -> None:
        self.tls.sendall(data)
        self._flush()

    def recv(self, count: int) -> bytes:
        """As a socket's: no bytes at the good end, which here is the notice, and not the end beneath."""
        deadline = time.monotonic() + self.timeout
        while True:
            try:
                return self.tls.recv(count)
            except SSL.ZeroReturnError:
                return b""
            except SSL.WantReadError:
                self._flush()
                if not self._feed(deadline):
                    raise ConnectionResetError("the connection ended without the notice that it would") from None
            except SSL.Error as error:
                raise refusal(error) from error

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        try:
            self.tls.shutdown()
            self._flush()
        except (SSL.Error, OSError):
            pass
        self.socket.close()


def refusal(error: SSL.Error) -> Refused:
    """The error in words; the library names an alert in the text of its reason."""
    reasons = error.args[0] if error.args and isinstance(error.args[0], list) else []
    text = "; ".join(reason for _, _, reason in reasons) or "the TLS connection ended"
    alerts = {"certificate required": 116, "certificate expired": 45, "unknown ca": 48, "unsupported certificate": 43,
              "bad certificate": 42, "certificate revoked": 44}
    return Refused(text, next((number for words, number in alerts.items() if words in text), None))
