# SPDX-License-Identifier: Apache-2.0
"""Checks the vectors in a folder (Tests/Vectors unless given) with programs that are not the library:
cbor2 decodes, cryptography verifies, cwt reads tickets, pycddl judges shapes. Says what is wrong and where; exits 1 then.
"""

from __future__ import annotations

import io
import json
import pathlib
import sys

import cose_sign
import enrollment_vectors
import messages
import revocations
import tickets
from checkin_peer import ATTENDEE, Conversation, KIOSK, PublicKey, SigningKey, decode, encode, external_aad, frame
from checkin_peer import read_frame
from schema import PATH, Schemas
from strict_cbor import Fault, judge

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Vectors"
ROLES = {"kiosk": KIOSK, "attendee": ATTENDEE}
RULES = {
    "hello": "hello", "initial_request": "initial-request", "pin": "pin-message",
    "check_in_request": "check-in-request", "result": "result", "notice": "notice", "cancel": "cancel",
    "goodbye": "goodbye", "later": "later-message",
}


class Checker:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.schemas = Schemas()
        self.enrollment = Schemas(PATH.with_name("enrollment.cddl"))
        self.faults = 0
        self.checks = 0
        self.keys: dict[str, SigningKey] = {}
        self.conversations: dict[str, dict] = {}

    def expect(self, where: str, what: str, holds: bool) -> bool:
        self.checks += 1
        if not holds:
            self.faults += 1
            print(f"{where}: {what}", file=sys.stderr)
        return holds

    def load(self, name: str):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def shape(self, where: str, rule: str, data: bytes) -> None:
        fault = self.schemas.fault(rule, data)
        self.expect(where, f"pycddl, {rule}: {fault}", fault is None)

    def again(self, where: str, data: bytes) -> None:
        """The bytes are the one deterministic encoding of what they hold."""
        try:
            self.expect(where, "another encoding than the deterministic one", encode(decode(data)) == data)
        except (Fault, TypeError) as error:
            self.expect(where, f"not deterministic CBOR: {error}", False)

    def run(self) -> int:
        self.check_keys()
        for path in sorted(self.folder.glob("conversation-*.json")):
            self.check_conversation(path.name)
        for path in sorted(self.folder.glob("enrollment-*-*.json")):
            self.check_enrollment(path.name)
        self.check_enrollment_messages()
        self.check_tickets()
        self.check_revocations()
        self.check_messages()
        self.check_cbor()
        self.check_frames()
        print(f"{self.checks} checks of {self.folder.name}, {self.faults} failed")
        return 1 if self.faults or self.checks == 0 else 0

    def check_keys(self) -> None:
        for name, key in self.load("keys.json").items():
            made = SigningKey(cose_sign.ALGORITHMS[key["algorithm"]], bytes.fromhex(key["private"]))
            self.expect(f"keys.json {name}", "the public key is not the private one's", made.public.raw.hex() == key["public"])
            self.keys[name] = made

    def check_conversation(self, file: str) -> None:
        recorded = self.load(file)
        self.conversations[recorded["name"]] = recorded
        self.expect(file, "the name is not the file's", file == f"conversation-{recorded['name']}.json")
        issuer = self.keys[recorded["issuer"]].public
        conversation = Conversation(bytes.fromhex(recorded["binding"]))
        keys = {KIOSK: None, ATTENDEE: None}
        for index, step in enumerate(recorded["messages"]):
            where = f"{file} message {index}"
            try:
                self.check_step(where, step, conversation, keys, issuer)
            except Fault as fault:
                self.expect(where, f"refused: {fault}", False)
                return
        self.expect(file, "the transcript", conversation.transcript.hex() == recorded["transcript"])
        for role, holder in ((KIOSK, "kiosk"), (ATTENDEE, "attendee")):
            self.expect(file, f"the {holder}'s key", keys[role] == self.keys[recorded[holder]].public)

    def check_step(self, where: str, step: dict, conversation: Conversation, keys: dict, issuer: PublicKey) -> None:
        role, body = ROLES[step["from"]], bytes.fromhex(step["body"])
        sign1 = cose_sign.open_message(body)
        self.again(where + " body", body)
        self.again(where + " payload", sign1.payload)
        self.again(where + " external_aad", bytes.fromhex(step["external_aad"]))
        self.shape(where, "body", body)
        self.shape(where, "message-header", sign1.protected)
        self.shape(where, "message", sign1.payload)
        self.shape(where, RULES[step["message"]["type"]], sign1.payload)
        self.shape(where, "external-aad", bytes.fromhex(step["external_aad"]))
        self.shape(where, "sig-structure", bytes.fromhex(step["sig_structure"]))
        self.expect(where, "payload is not the body's", sign1.payload.hex() == step["payload"])
        self.expect(where, "sequence", conversation.sent[role] == step["sequence"])
        self.expect(where, "context", conversation.context.hex() == step["context"])
        aad = conversation.next_aad(role)
        self.expect(where, "external_aad", aad.hex() == step["external_aad"])
        self.expect(where, "external_aad by its parts",
                    aad == external_aad(role, step["sequence"], bytes.fromhex(step["context"])))
        signed = cose_sign.sig_structure(sign1.protected, aad, sign1.payload)
        self.expect(where, "sig_structure", signed.hex() == step["sig_structure"])
        self.expect(where, "frame", frame(body).hex() == step["frame"])
        message = messages.from_payload(sign1.payload)
        if message["type"] in ("hello", "initial_request"):
            token = message.get("credential") or message.get("token")
            claims = tickets.read(token, issuer)
            wanted = tickets.KIOSK if role == KIOSK else tickets.ATTENDEE
            self.expect(where, "the role of the credential", claims.role == wanted)
            keys[role] = claims.key
        read = conversation.open(role, keys[role], body)
        self.expect(where, f"reads as {read}", readable(read) == step["message"])

    def check_enrollment(self, file: str) -> None:
        recorded = self.load(file)
        self.expect(file, "the name is not the file's", file == f"enrollment-{recorded['name']}.json")
        parts, sent = [bytes.fromhex(recorded["binding"])], {"server": 0, "client": 0}
        for index, step in enumerate(recorded["messages"]):
            where, side, body = f"{file} message {index}", step["from"], bytes.fromhex(step["body"])
            sign1, context = cose_sign.open_message(body), enrollment_vectors.context(*parts)
            role = enrollment_vectors.SERVER if side == "server" else enrollment_vectors.CLIENT
            external = enrollment_vectors.aad(role, sent[side], context)
            self.again(where + " body", body)
            self.again(where + " payload", sign1.payload)
            self.expect(where, "sequence", sent[side] == step["sequence"])
            self.expect(where, "context", context.hex() == step["context"])
            self.expect(where, "external_aad", external.hex() == step["external_aad"])
            signed = cose_sign.sig_structure(sign1.protected, external, sign1.payload)
            self.expect(where, "sig_structure", signed.hex() == step["sig_structure"])
            self.expect(where, "payload is not the body's", sign1.payload.hex() == step["payload"])
            self.expect(where, "frame", frame(body).hex() == step["frame"])
            try:
                sign1.verify(self.keys[recorded[side]].public, external)
            except Fault as fault:
                self.expect(where, f"refused: {fault}", False)
            message = decode(sign1.payload)
            self.expect(where, f"reads as {message}", enrollment_vectors.readable(message) == step["message"])
            rule = enrollment_vectors.rule(message)
            fault = self.enrollment.fault(rule, sign1.payload)
            self.expect(where, f"pycddl, {rule}: {fault}", fault is None)
            sent[side] += 1
            if index < 2:
                parts.append(body)
        self.expect(file, "the transcript", enrollment_vectors.context(*parts).hex() == recorded["transcript"])

    def check_enrollment_messages(self) -> None:
        recorded = self.load("enrollment-messages.json")
        context = enrollment_vectors.context(b"", *[bytes.fromhex(body) for body in recorded["opening"]])
        for kind in ("accepted", "refused"):
            for entry in recorded[kind]:
                where, body = f"enrollment-messages.json {kind}, {entry['name']}", bytes.fromhex(entry["body"])
                role = enrollment_vectors.SERVER if entry["from"] == "server" else enrollment_vectors.CLIENT
                try:
                    sign1 = cose_sign.open_message(body)
                    sign1.verify(self.keys[recorded[entry["from"]]].public, enrollment_vectors.aad(role, 1, context))
                except Fault:
                    self.expect(where, "does not verify", entry.get("fault") == "not_authentic")
                    continue
                self.expect(where, "verifies", entry.get("fault") != "not_authentic")
                rule = enrollment_vectors.rule(decode(sign1.payload))
                if entry.get("fault") == "malformed":
                    # A code with a letter has a good shape: that it is digits, CDDL does not say.
                    shaped = rule is not None and self.enrollment.fault(rule, sign1.payload) is None
                    self.expect(where, "has the shape of a message", not shaped or entry["name"] == "a code with a letter")
                elif kind == "accepted":
                    fault = self.enrollment.fault(rule, sign1.payload)
                    self.expect(where, f"pycddl, {rule}: {fault}", fault is None)

    def check_tickets(self) -> None:
        vectors = self.load("tickets.json")
        for entry in vectors["accepted"]:
            where, data = f"tickets.json {entry['name']}", bytes.fromhex(entry["bytes"])
            try:
                claims = tickets.read(data, self.keys[entry["issuer"]].public)
            except Fault as fault:
                self.expect(where, f"refused: {fault}", False)
                continue
            sign1 = cose_sign.open_cwt(data)
            self.again(where, data)
            self.again(where + " claims", sign1.payload)
            self.shape(where, "cwt", data)
            self.shape(where, "cwt-header", sign1.protected)
            self.shape(where, "ticket-claims" if claims.role == tickets.ATTENDEE else "kiosk-claims", sign1.payload)
            self.expect(where, "payload", sign1.payload.hex() == entry["payload"])
            signed = cose_sign.sig_structure(sign1.protected, b"", sign1.payload)
            self.expect(where, "sig_structure", signed.hex() == entry["sig_structure"])
            for name, value in entry["claims"].items():
                found = {"algorithm": lambda: cose_sign.NAMES[claims.key.algorithm], "public": lambda: claims.key.raw}.get(
                    name, lambda: getattr(claims, name))()
                self.expect(where, f"{name} is {found!r}", readable(found) == value)
        for entry in vectors["refused"]:
            where, data = f"tickets.json {entry['name']}", bytes.fromhex(entry["bytes"])
            self.refused(where, entry["reason"], lambda: self.read_ticket(data, self.keys[entry["issuer"]].public))

    @staticmethod
    def read_ticket(data: bytes, issuer: PublicKey) -> None:
        if tickets.read(data, issuer).role != tickets.ATTENDEE:
            raise Fault("wrong_role", "not an attendee's")

    def check_revocations(self) -> None:
        vectors = self.load("revocations.json")
        for entry in vectors["accepted"]:
            where, data = f"revocations.json {entry['name']}", bytes.fromhex(entry["bytes"])
            try:
                it = revocations.read(data, self.keys[entry["issuer"]].public, entry["list"]["event"])
            except Fault as fault:
                self.expect(where, f"refused: {fault}", False)
                continue
            sign1 = cose_sign.open_message(data)
            self.again(where, data)
            self.again(where + " payload", sign1.payload)
            self.shape(where, "revocation-list", data)
            self.shape(where, "message-header", sign1.protected)
            self.shape(where, "revocations", sign1.payload)
            self.shape(where, "revocation-aad", revocations.AAD)
            self.expect(where, "payload", sign1.payload.hex() == entry["payload"])
            self.expect(where, "external_aad", revocations.AAD.hex() == entry["external_aad"])
            signed = cose_sign.sig_structure(sign1.protected, revocations.AAD, sign1.payload)
            self.expect(where, "sig_structure", signed.hex() == entry["sig_structure"])
            self.expect(where, f"read as {it}", readable(vars(it)) == entry["list"])
        for entry in vectors["refused"]:
            where, data = f"revocations.json {entry['name']}", bytes.fromhex(entry["bytes"])
            issuer = self.keys[entry["issuer"]].public
            self.refused(where, entry["reason"], lambda: revocations.read(data, issuer, entry["event"], entry["last"]))

    def refused(self, where: str, reason: str, call) -> None:
        try:
            call()
        except Fault as fault:
            self.expect(where, f"refused as {fault.reason}, not as {reason}", fault.reason == reason)
        else:
            self.expect(where, f"accepted, though it must be refused as {reason}", False)

    def check_messages(self) -> None:
        vectors = self.load("messages.json")
        for entry in vectors["accepted"]:
            where = f"messages.json accepted, {entry['name']}"
            try:
                message = self.open_at(entry)
            except Fault as fault:
                self.expect(where, f"refused: {fault}", False)
                continue
            self.again(where, bytes.fromhex(entry["body"]))
            # By its own rule: with unknown keys pycddl 0.6.4 finds no way through the choice `message`.
            self.shape(where, RULES[message["type"]], cose_sign.open_message(bytes.fromhex(entry["body"])).payload)
            self.expect(where, f"read as {message['type']}", (message["type"] == "later") == entry["skipped"])
        for entry in vectors["refused"]:
            self.refused(f"messages.json refused, {entry['name']}", entry["reason"], lambda: self.open_at(entry))

    def open_at(self, entry: dict) -> dict:
        """Opens a body where the conversation has got to `after` messages, and judges it as a session would."""
        recorded = self.conversations[entry["conversation"]]
        conversation = Conversation(bytes.fromhex(recorded["binding"]))
        for step in recorded["messages"][: entry["after"]]:
            key = self.keys[recorded[step["from"]]].public
            conversation.open(ROLES[step["from"]], key, bytes.fromhex(step["body"]))
        role = ROLES[entry["from"]]
        if conversation.next_aad(role).hex() != entry["external_aad"]:
            raise Fault("bad_vector", "external_aad is not the place's")
        message = conversation.open(role, self.keys[entry["key"]].public, bytes.fromhex(entry["body"]))
        if message["type"] == "initial_request" and message["version"] != 1:
            raise Fault("wrong_version", "not one of the hello's")
        if message["type"] in ("check_in_request", "result"):
            request = recorded["messages"][1]["message"]["request"]
            if message["request"].hex() != request:
                raise Fault("wrong_request", "not this session's request")
        return message

    def check_cbor(self) -> None:
        vectors = self.load("cbor.json")
        for data in vectors["accepted"]:
            self.again(f"cbor.json {data}", bytes.fromhex(data))
        for entry in vectors["refused"]:
            self.refused(f"cbor.json {entry['bytes']}", entry["reason"], lambda: judge(bytes.fromhex(entry["bytes"])))

    def check_frames(self) -> None:
        vectors = self.load("frames.json")
        for kind in ("accepted", "refused"):
            for entry in vectors[kind]:
                stream, bodies, reason = bytes.fromhex(entry["stream"]), [], None
                for size in (1, 3, 1 << 20):
                    bodies, reason = read_all(stream, size)
                    where = f"frames.json {entry['name']}, {size} at a time"
                    self.expect(where, f"bodies {bodies}", [body.hex() for body in bodies] == entry["bodies"])
                    self.expect(where, f"refused as {reason}", reason == entry.get("reason"))


def read_all(stream: bytes, size: int) -> tuple[list[bytes], str | None]:
    source, bodies = io.BytesIO(stream), []
    try:
        while (body := read_frame(lambda count: source.read(min(count, size)))) is not None:
            bodies.append(body)
    except Fault as fault:
        return bodies, fault.reason
    return bodies, None


def readable(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: readable(item) for key, item in value.items()}
    return [readable(item) for item in value] if isinstance(value, (list, tuple)) else value


if __name__ == "__main__":
    sys.exit(Checker(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER).run())
