# SPDX-License-Identifier: Apache-2.0
"""Vectors of enrollments (Documentation/Enrollment.md): whole connections, and messages that must be refused."""

from __future__ import annotations

import hashlib

from checkin_peer import encode, external_aad, frame
from cose_sign import open_message, sig_structure, sign
from vector_keys import KEYS, fixed

SERVER, CLIENT = 0, 1
NOW = 1_790_000_000
PHONE, URL, TOKEN = "+46701234567", "enroll:/container/" + "5a" * 32, fixed("token")
PICTURE = b"\xff\xd8\xff" + fixed("picture", 29)
DIGEST = hashlib.sha256(PICTURE).digest()
# The rule of enrollment.cddl for each operation.
RULES = {
    "skicka_sms": "send-code", "registera_kund": "register", "hamta_behallare": "fetch", "kolla_statusen": "status-request",
    "skicka_passnummer": "passport-number", "fraga_uppladdning": "resume", "skicka_pass": "upload", "skicka_selfie": "upload",
    "logga_in": "log-in", "hamta_biljett": "ticket-request",
}


def context(*parts: bytes) -> bytes:
    return hashlib.sha256(encode(list(parts))).digest()


def aad(role: int, sequence: int, session_context: bytes) -> bytes:
    return encode(["enroll/1", role, sequence, session_context])


def rule(message: dict) -> str | None:
    """The rule of enrollment.cddl that a message follows; None for an operation that is none."""
    named = {1: "hello", 2: "opening", 4: "answer", 8: "goodbye"}
    if message[0] == 3:
        return RULES.get(message[1])
    return named.get(message[0], "later-message")


def readable(message: dict) -> dict:
    """A message as JSON has it: keys as texts, bytes in hexadecimal."""
    return {str(key): value.hex() if isinstance(value, bytes) else value for key, value in message.items()}


class Recorder:
    """A connection in which every step is written down."""

    def __init__(self, name: str, server: str, client: str, binding: bytes, note: str):
        self.name, self.server, self.client, self.note = name, server, client, note
        self.parts, self.sent, self.steps = [binding], {SERVER: 0, CLIENT: 0}, []
        self.say(SERVER, {0: 1, 1: [1], 2: fixed(f"server {name}"), 3: "Enrollment", 4: NOW})
        self.say(CLIENT, {0: 2, 1: 1, 2: fixed(f"client {name}"), 3: fixed("installation"), 4: NOW + 1})

    def key(self, role: int):
        return KEYS[self.server if role == SERVER else self.client]

    def seal(self, role: int, message: dict) -> bytes:
        return sign(self.key(role), encode(message), aad(role, self.sent[role], context(*self.parts)))

    def say(self, role: int, message: dict) -> bytes:
        sequence, session_context, body = self.sent[role], context(*self.parts), self.seal(role, message)
        external, sign1 = aad(role, sequence, session_context), open_message(body)
        self.steps.append({
            "from": "server" if role == SERVER else "client", "sequence": sequence, "message": readable(message),
            "context": session_context.hex(), "external_aad": external.hex(), "payload": sign1.payload.hex(),
            "sig_structure": sig_structure(sign1.protected, external, sign1.payload).hex(), "body": body.hex(),
            "frame": frame(body).hex(),
        })
        self.sent[role] += 1
        if len(self.steps) <= 2:
            self.parts.append(body)
        return body

    def ask(self, request: dict, answer: dict) -> None:
        self.say(CLIENT, {0: 3} | request)
        self.say(SERVER, {0: 4} | answer)

    def end(self) -> Recorder:
        self.say(CLIENT, {0: 8})
        self.say(SERVER, {0: 8})
        return self

    def json(self) -> dict:
        return {
            "name": self.name, "note": self.note, "server": self.server, "client": self.client,
            "binding": self.parts[0].hex(), "transcript": context(*self.parts).hex(), "messages": self.steps,
        }


def registration(suffix: str) -> Recorder:
    it = Recorder(f"registration-{suffix}", f"kiosk-{suffix}", f"other_kiosk-{suffix}", fixed("binding", 32),
                  "With the built-in container: an SMS, a wrong code, the right one, the container, and its URL again.")
    request = fixed("request")
    it.ask({1: "kolla_statusen"}, {1: 7})
    it.ask({1: "skicka_sms", 2: PHONE}, {1: 0, 8: 3, 9: 30})
    it.ask({1: "skicka_sms", 2: PHONE}, {1: 4, 9: 29})
    it.ask({1: "registera_kund", 2: PHONE, 3: request, 4: b"0000"}, {1: 1, 8: 2})
    it.ask({1: "registera_kund", 2: PHONE, 3: request, 4: b"0417"}, {1: 0, 4: URL, 5: TOKEN})
    it.ask({1: "hamta_behallare", 2: URL}, {1: 0, 6: fixed("container", 32) * 40})
    it.ask({1: "hamta_behallare", 2: URL}, {1: 6})
    it.ask({1: "skicka_sms", 2: PHONE}, {1: 8})
    return it.end()


def proving(suffix: str) -> Recorder:
    it = Recorder(f"proving-{suffix}", f"kiosk-{suffix}", f"ada-{suffix}", fixed("binding", 32),
                  "With the personal container: every status, an upload in two pieces, a rejection, a wrong PIN, a ticket.")
    it.ask({1: "kolla_statusen"}, {1: 0, 2: 228})
    it.ask({1: "skicka_passnummer", 2: "AB1234567"}, {1: 0, 2: 222})
    upload, size = {2: DIGEST, 3: len(PICTURE)}, len(PICTURE)
    it.ask({1: "fraga_uppladdning"} | upload | {4: 0}, {1: 0, 7: 0})
    it.ask({1: "skicka_pass"} | upload | {4: 0, 5: PICTURE[:16]}, {1: 0, 7: 16})
    it.ask({1: "skicka_pass"} | upload | {4: 0, 5: PICTURE[:16]}, {1: 13, 7: 16})
    it.ask({1: "skicka_pass"} | upload | {4: 16, 5: PICTURE[16:]}, {1: 0, 2: 223})
    it.ask({1: "kolla_statusen"}, {1: 0, 2: 222, 3: "Det är suddigt."})
    it.ask({1: "skicka_pass"} | upload | {4: size, 5: b""}, {1: 0, 2: 223})
    it.ask({1: "kolla_statusen"}, {1: 0, 2: 227})
    it.ask({1: "skicka_selfie"} | upload | {4: 0, 5: PICTURE}, {1: 0, 2: 223})
    it.ask({1: "kolla_statusen"}, {1: 0, 2: 0})
    it.ask({1: "logga_in", 2: bytes(16)}, {1: 14, 8: 4})
    it.ask({1: "logga_in", 2: TOKEN}, {1: 0, 2: 0, 11: "Ada Lovelace"})
    it.ask({1: "hamta_biljett"}, {1: 0, 10: fixed("ticket", 32) * 8, 11: "Ada Lovelace"})
    return it.end()


def fresh() -> Recorder:
    return Recorder("refused", "kiosk-ed25519", "ada-ed25519", b"", "What must be refused comes after these.")


def messages() -> dict:
    """Single messages, after the two first of a connection."""
    it = fresh()
    ours = {SERVER: "server", CLIENT: "client"}

    def entry(name: str, role: int, body: bytes, **more) -> dict:
        return {"name": name, "from": ours[role], "body": body.hex()} | more

    status = {0: 3, 1: "kolla_statusen"}
    accepted = [
        entry("a type from 64 on is passed over", CLIENT, it.seal(CLIENT, {0: 64, 1: "x"}), skipped=True),
        entry("an unknown key is passed over", CLIENT, it.seal(CLIENT, status | {99: b"x"}), skipped=False),
    ]

    def signed(role: int, external: bytes, message: dict, key=None) -> bytes:
        return sign(key or it.key(role), encode(message), external)

    here = context(*it.parts)
    refused = [
        entry("of a check-in", CLIENT, signed(CLIENT, external_aad(CLIENT, 1, here), status), fault="not_authentic"),
        entry("a number too late", CLIENT, signed(CLIENT, aad(CLIENT, 2, here), status), fault="not_authentic"),
        entry("a number too early", CLIENT, signed(CLIENT, aad(CLIENT, 0, here), status), fault="not_authentic"),
        entry("sent back", CLIENT, it.seal(SERVER, {0: 4, 1: 0, 2: 0}), fault="not_authentic"),
        entry("of another connection", SERVER,
              signed(SERVER, aad(SERVER, 1, context(fixed("binding", 32), *it.parts[1:])), {0: 4, 1: 0, 2: 0}),
              fault="not_authentic"),
        entry("by another key", SERVER, signed(SERVER, aad(SERVER, 1, here), {0: 4, 1: 0}, KEYS["grace-ed25519"]),
              fault="not_authentic"),
        entry("an answer by the client", CLIENT, it.seal(CLIENT, {0: 4, 1: 0}), fault="unexpected_message"),
        entry("a second opening", CLIENT, it.seal(CLIENT, {0: 2, 1: 1, 2: bytes(16), 3: bytes(16), 4: NOW}),
              fault="unexpected_message"),
        entry("a type below 64 that nobody knows", CLIENT, it.seal(CLIENT, {0: 9}), fault="unknown_type"),
        entry("an operation that nobody knows", CLIENT, it.seal(CLIENT, {0: 3, 1: "skicka_pengar"}), fault="malformed"),
        entry("a result that nobody knows", SERVER, it.seal(SERVER, {0: 4, 1: 20}), fault="malformed"),
        entry("a code of three digits", CLIENT,
              it.seal(CLIENT, {0: 3, 1: "registera_kund", 2: PHONE, 3: bytes(16), 4: b"123"}), fault="malformed"),
        entry("a code with a letter", CLIENT,
              it.seal(CLIENT, {0: 3, 1: "registera_kund", 2: PHONE, 3: bytes(16), 4: b"12a4"}), fault="malformed"),
        entry("a token of fifteen bytes", CLIENT, it.seal(CLIENT, {0: 3, 1: "logga_in", 2: bytes(15)}), fault="malformed"),
        entry("a piece that is too large", CLIENT,
              it.seal(CLIENT, {0: 3, 1: "skicka_pass", 2: DIGEST, 3: 40_000, 4: 0, 5: bytes(32_769)}), fault="malformed"),
        entry("a third kind of picture", CLIENT,
              it.seal(CLIENT, {0: 3, 1: "fraga_uppladdning", 2: DIGEST, 3: 1, 4: 2}), fault="malformed"),
        entry("a key too few", CLIENT, it.seal(CLIENT, {0: 3, 1: "skicka_sms"}), fault="malformed"),
    ]
    return {"server": it.server, "client": it.client, "opening": [step["body"] for step in it.steps],
            "accepted": accepted, "refused": refused}


def files() -> dict[str, object]:
    connections = [make(suffix) for make in (registration, proving) for suffix in ("ed25519", "es256")]
    return {f"enrollment-{it.name}.json": it.json() for it in connections} | {"enrollment-messages.json": messages()}
