# SPDX-License-Identifier: Apache-2.0
"""Writes Tests/Vectors/*.json, the same bytes each time. `--check` compares with what is there instead."""

from __future__ import annotations

import argparse
import json
import pathlib
import sys

import enrollment_vectors
import refused_encodings
import refused_messages
import refused_tickets
import revocation_vectors
import tickets
from checkin_peer import ATTENDEE, Conversation, KIOSK, encode, frame, mock_biometric_evidence
from cose_sign import NAMES, open_cwt, open_message, sig_structure
from messages import to_payload
from vector_keys import KEYS, fixed

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Vectors"
NOW = 1_790_000_000
EVENT, EVENT_NAME, GATE = "meetup-2026", "Swift Meetup 2026", "North"


def ticket(issuer: str, holder: str, **more) -> bytes:
    values = {
        "event": EVENT, "subject": "ada", "role": tickets.ATTENDEE, "name": "Ada Lovelace", "event_name": EVENT_NAME,
        "issued": NOW - 86_400, "not_before": NOW - 3_600, "expires": NOW + 86_400, "serial": fixed("serial ada", 8),
    } | more
    return tickets.make(KEYS[issuer], key=KEYS[holder].public, **values)


def credential(issuer: str, holder: str, **more) -> bytes:
    values = {
        "event": EVENT, "subject": "hall-a", "role": tickets.KIOSK, "name": "Hall A", "event_name": EVENT_NAME,
        "issued": NOW - 86_400, "expires": NOW + 86_400, "serial": fixed("serial hall-a", 8),
    } | more
    return tickets.make(KEYS[issuer], key=KEYS[holder].public, **values)


class Recorder:
    """A conversation in which every step is written down."""

    def __init__(self, name: str, issuer: str, kiosk: str, attendee: str, binding: bytes = b"", note: str = ""):
        self.name, self.issuer, self.kiosk, self.attendee, self.note = name, issuer, kiosk, attendee, note
        self.conversation = Conversation(binding)
        self.steps: list[dict] = []

    def say(self, role: int, **message) -> bytes:
        key = KEYS[self.kiosk if role == KIOSK else self.attendee]
        sequence, context, aad = self.conversation.sent[role], self.conversation.context, self.conversation.next_aad(role)
        body = self.conversation.seal(role, key, message)
        sign1 = open_message(body)
        self.steps.append({
            "from": "kiosk" if role == KIOSK else "attendee", "sequence": sequence, "message": readable(message),
            "context": context.hex(), "external_aad": aad.hex(), "payload": sign1.payload.hex(),
            "sig_structure": sig_structure(sign1.protected, aad, sign1.payload).hex(), "body": body.hex(),
            "frame": frame(body).hex(),
        })
        return body

    def opening(self, session: str, authenticators=("mock-biometric", "pin"), time=NOW, request_time=NOW + 2) -> None:
        self.say(
            KIOSK, type="hello", versions=[1], session=fixed(f"session {session}"), nonce=fixed(f"kiosk {session}"),
            credential=credential(self.issuer, self.kiosk), authenticators=list(authenticators), gate=GATE, time=time,
        )
        self.say(
            ATTENDEE, type="initial_request", version=1, request=self.request(session),
            nonce=fixed(f"attendee {session}"), token=ticket(self.issuer, self.attendee), time=request_time,
        )

    @staticmethod
    def request(session: str) -> bytes:
        return fixed(f"request {session}")

    def json(self) -> dict:
        return {
            "name": self.name, "note": self.note, "issuer": self.issuer, "kiosk": self.kiosk,
            "attendee": self.attendee, "binding": self.conversation.binding.hex(),
            "transcript": self.conversation.transcript.hex(), "messages": self.steps,
        }


def readable(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: readable(item) for key, item in value.items()}
    return [readable(item) for item in value] if isinstance(value, (list, tuple)) else value


def admitted(suffix: str, binding: bytes = b"") -> Recorder:
    """Everything that can be said on the way to an admission."""
    name = f"admitted-{suffix}" + ("-bound" if binding else "")
    it = Recorder(name, *[f"{holder}-{suffix}" for holder in ("issuer", "kiosk", "ada")], binding)
    it.note = "Waits, gets a new PIN, is refused a confirmation, sends a wrong PIN, is admitted."
    it.opening(name)
    request = it.request(name)
    it.say(KIOSK, type="pin", pin="00417", lifetime=120, attempts_left=3)
    it.say(KIOSK, type="notice", code=1, number=1)
    it.say(KIOSK, type="pin", pin="93051", lifetime=120, attempts_left=3)
    it.say(KIOSK, type="notice", code=2)

    def confirm(pin: str, evidence: bytes):
        it.say(
            ATTENDEE, type="check_in_request", request=request, pin=pin, authenticator="mock-biometric",
            evidence=evidence,
        )

    confirm("93051", b"mock-biometric/1" + bytes(32))
    it.say(KIOSK, type="notice", code=4, number=4)
    confirm("00417", mock_biometric_evidence(it.conversation.transcript))
    it.say(KIOSK, type="notice", code=3, number=2)
    confirm("93051", mock_biometric_evidence(it.conversation.transcript))
    it.say(
        KIOSK, type="result", request=request, success=True, reason=0, admitted_at=NOW + 9, gate=GATE,
    )
    it.say(KIOSK, type="goodbye")
    it.say(ATTENDEE, type="goodbye")
    return it


def cancelled() -> Recorder:
    it = Recorder("cancelled-mixed-bound", "issuer-ed25519", "kiosk-es256", "grace-ed25519", fixed("binding", 32))
    it.note = "Two algorithms in one session, over a transport with a channel binding. The person gives up."
    it.opening(it.name, authenticators=["pin"])
    it.say(KIOSK, type="pin", pin="00000", lifetime=120, attempts_left=3)
    it.say(KIOSK, type="notice", code=2)
    it.say(ATTENDEE, type="cancel")
    it.say(KIOSK, type="result", request=it.request(it.name), success=False, reason=12)
    it.say(KIOSK, type="goodbye")
    it.say(ATTENDEE, type="goodbye")
    return it


def refused(suffix: str) -> Recorder:
    name = f"already-admitted-{suffix}"
    it = Recorder(name, *[f"{holder}-{suffix}" for holder in ("issuer", "kiosk", "ada")])
    it.note = "The attendee is in: the answer says when and where."
    it.opening(name)
    it.say(
        KIOSK, type="result", request=it.request(name), success=False, reason=1, admitted_at=NOW - 600, gate="South",
    )
    it.say(KIOSK, type="goodbye")
    it.say(ATTENDEE, type="goodbye")
    return it


def too_many(suffix: str) -> Recorder:
    name = f"too-many-attempts-{suffix}"
    it = Recorder(name, *[f"{holder}-{suffix}" for holder in ("issuer", "kiosk", "ada")])
    it.note = "The token failed too often lately: the answer says how long to wait. Times before 1970 are times too."
    it.opening(name, time=-1, request_time=-25)
    it.say(KIOSK, type="result", request=it.request(name), success=False, reason=4, retry_after=40)
    it.say(KIOSK, type="goodbye")
    it.say(ATTENDEE, type="goodbye")
    return it


def keys() -> dict:
    return {
        name: {"algorithm": NAMES[key.algorithm], "private": key.secret.hex(), "public": key.public.raw.hex()}
        for name, key in KEYS.items()
    }


def ticket_vectors() -> list[dict]:
    result = []

    def add(name: str, data: bytes, issuer: str, note: str = ""):
        sign1 = open_cwt(data)
        claims = tickets.read(data, KEYS[issuer].public)
        result.append({
            "name": name, "note": note, "issuer": issuer, "bytes": data.hex(), "payload": sign1.payload.hex(),
            "sig_structure": sig_structure(sign1.protected, b"", sign1.payload).hex(),
            "claims": {
                "event": claims.event, "subject": claims.subject, "role": claims.role, "name": claims.name,
                "algorithm": NAMES[claims.key.algorithm], "public": claims.key.raw.hex(), "expires": claims.expires,
                "not_before": claims.not_before, "issued": claims.issued,
                "serial": claims.serial.hex(), "gates": claims.gates,
                "event_name": claims.event_name,
            },
        })

    for suffix in ("ed25519", "es256"):
        issuer, holder = f"issuer-{suffix}", f"ada-{suffix}"
        add(f"ticket-{suffix}", ticket(issuer, holder), issuer)
        add(f"credential-{suffix}", credential(issuer, f"kiosk-{suffix}"), issuer)
        add(f"ticket-gates-{suffix}", ticket(issuer, holder, gates=["North", "Süd"]), issuer, "two gates only")
        add(f"ticket-kid-{suffix}", ticket(issuer, holder, kid=b"key-1"), issuer, "kid in the protected header")
        add(f"ticket-tag61-{suffix}", ticket(issuer, holder, tag61=True), issuer, "inside the CWT tag")
    bare = {"issued": None, "not_before": None, "expires": None}
    add("ticket-bare", ticket("issuer-ed25519", "ada-es256", **bare), "issuer-ed25519", "required claims only")
    longest = {"event": "e" * 256, "subject": "s" * 256, "name": "ü" * 128, "event_name": "", "serial": bytes(64)}
    gates = ["g" * 126 + f"{index:02}" for index in range(20)]
    add("ticket-longest", ticket("issuer-ed25519", "ada-ed25519", gates=gates, **longest), "issuer-ed25519")
    add("ticket-64-gates", ticket("issuer-ed25519", "ada-ed25519", gates=[f"{index}" for index in range(64)]),
        "issuer-ed25519")
    add("ticket-empty-name", ticket("issuer-ed25519", "ada-ed25519", name=""), "issuer-ed25519")
    add("ticket-kid-unprotected", refused_tickets.ticket_with(unprotected={4: b"key-1"}), "issuer-ed25519")
    add("ticket-unknown-claims", refused_tickets.ticket_with(claims={-70999: [1, None], "x": True, 9: b"scope"}),
        "issuer-ed25519", "claims that a reader does not know are ignored, negative ones too")
    add("ticket-unknown-header", refused_tickets.ticket_with(header={"x": 1, 1000: b""}), "issuer-ed25519")
    return result


def files() -> dict[str, object]:
    conversations = [
        admitted("ed25519"), admitted("es256"), admitted("ed25519", fixed("binding", 32)), cancelled(),
        refused("ed25519"), refused("es256"), too_many("ed25519"),
    ]
    return {
        "keys.json": keys(),
        "tickets.json": {"now": NOW, "accepted": ticket_vectors(), "refused": refused_tickets.tickets_refused()},
        "revocations.json": revocation_vectors.vectors(),
        "messages.json": refused_messages.messages(),
        "cbor.json": refused_encodings.cbor(),
        "frames.json": refused_encodings.frames(),
    } | {f"conversation-{it.name}.json": it.json() for it in conversations} | enrollment_vectors.files()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    arguments = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    different = 0
    made = files()
    for name, content in made.items():
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        path = FOLDER / name
        if not arguments.check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path}: is not what make_vectors.py makes", file=sys.stderr)
            different += 1
    for path in FOLDER.glob("*.json"):
        if path.name not in made:
            print(f"{path}: make_vectors.py does not make this file", file=sys.stderr)
            different += 1
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
