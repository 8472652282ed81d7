# SPDX-License-Identifier: Apache-2.0
"""Checks a capture of one live session with programs that are not the library.

A capture is a text of JSON lines. The first is

  {"capture": 1, "issuer": {"algorithm": "EdDSA" or "ES256", "public": "<hex>"}, "binding": "<hex>", "event": "<id>"}

where binding may be left out (none), and event too (then it is not compared). Each further line is one message, in the
order in which it was sent, both sides mixed as they came:

  {"from": "kiosk" or "attendee", "body": "<hex of the COSE_Sign1>"}

Says what is wrong and in which line; exits 1 then.
"""

from __future__ import annotations

import argparse
import json
import sys

import cose_sign
import tickets
from check_vectors import ROLES, RULES
from checkin_peer import ATTENDEE, Conversation, KIOSK, PublicKey, decode, encode
from schema import Schemas
from strict_cbor import Fault


class Capture:
    def __init__(self, header: dict):
        if header.get("capture") != 1:
            raise Fault("bad_capture", "the first line is not the header of a capture")
        issuer = header["issuer"]
        self.issuer = PublicKey(cose_sign.ALGORITHMS[issuer["algorithm"]], bytes.fromhex(issuer["public"]))
        self.event = header.get("event")
        self.conversation = Conversation(bytes.fromhex(header.get("binding", "")))
        self.schemas = Schemas()
        self.keys: dict[int, PublicKey | None] = {KIOSK: None, ATTENDEE: None}
        self.hello: dict | None = None
        self.request: dict | None = None
        self.counts: dict[str, int] = {}

    def take(self, line: dict) -> dict:
        """Checks one message; what it says."""
        role, body = ROLES[line["from"]], bytes.fromhex(line["body"])
        sign1 = cose_sign.open_message(body)
        for part in (body, sign1.payload):
            if encode(decode(part)) != part:
                raise Fault("not_deterministic", "another encoding than the deterministic one")
        self._shape("body", body)
        self._shape("message-header", sign1.protected)
        aad = self.conversation.next_aad(role)
        self._shape("external-aad", aad)
        self._shape("sig-structure", cose_sign.sig_structure(sign1.protected, aad, sign1.payload))
        if self.keys[role] is None:
            self._learn_key(role, sign1.payload)
        message = self.conversation.open(role, self.keys[role], body)
        self._shape(RULES[message["type"]], sign1.payload)
        self._judge(message)
        self.counts[message["type"]] = self.counts.get(message["type"], 0) + 1
        return message

    def finish(self) -> None:
        if not self.counts.get("hello"):
            raise Fault("bad_capture", "there is no message")

    def _shape(self, rule: str, data: bytes) -> None:
        fault = self.schemas.fault(rule, data)
        if fault is not None:
            raise Fault("bad_shape", f"pycddl, {rule}: {fault}")

    def _learn_key(self, role: int, payload: bytes) -> None:
        value = decode(payload)
        token = value.get(4)
        if not isinstance(token, bytes):
            raise Fault("not_a_message", "a first message without a credential")
        claims = tickets.read(token, self.issuer)
        self._shape("cwt", token)
        if claims.role != (tickets.KIOSK if role == KIOSK else tickets.ATTENDEE):
            raise Fault("wrong_role", "a credential for another role")
        if self.event is not None and claims.event != self.event:
            raise Fault("wrong_event", "a credential for another event")
        self.keys[role] = claims.key

    def _judge(self, message: dict) -> None:
        kind = message["type"]
        if kind == "hello":
            self.hello = message
        elif kind == "initial_request":
            self.request = message
            if message["version"] not in self.hello["versions"]:
                raise Fault("wrong_version", "a version that the hello does not list")
        elif kind in ("check_in_request", "result") and message["request"] != self.request["request"]:
            raise Fault("wrong_request", "another request than this session's")
        if kind == "check_in_request" and message["authenticator"] not in self.hello["authenticators"]:
            raise Fault("wrong_authenticator", "an authenticator that the hello does not list")
        if kind == "result" and self.counts.get("result"):
            raise Fault("wrong_turn", "a second result")


def check(path: str) -> int:
    number = 0
    try:
        with open(path, encoding="utf-8") as lines:
            capture = None
            for number, text in enumerate(lines, 1):
                line = json.loads(text)
                if capture is None:
                    capture = Capture(line)
                else:
                    capture.take(line)
            if capture is None:
                raise Fault("bad_capture", "the file is empty")
            capture.finish()
    except Fault as fault:
        print(f"{path}:{number}: {fault}", file=sys.stderr)
        return 1
    except (ValueError, KeyError, TypeError) as error:
        print(f"{path}:{number}: cannot be read as a capture: {error!r}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"{path}: " + ", ".join(f"{count} {name}" for name, count in capture.counts.items()) + ", all good")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="+")
    sys.exit(max([check(path) for path in parser.parse_args().file]))
