# SPDX-License-Identifier: Apache-2.0
"""The attendee's side of one session (Documentation/Protocol.md, section 7)."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import Callable

import cose_sign
import tickets
from channel import Channel, Ended
from checkin_peer import Fault, MOCK_BIOMETRIC, NOTICES, PIN, PublicKey, REASONS, SigningKey, mock_biometric_evidence
from messages import from_payload

HELLO_WAIT, ANSWER_WAIT, PERSON_WAIT, GOODBYE_WAIT = 10, 15, 180, 2


@dataclass
class Attendee:
    key: SigningKey
    token: bytes
    issuer: PublicKey
    event: str
    authenticators: list[str]
    now: Callable[[], int] = lambda: int(time.time())
    request: bytes = field(default_factory=lambda: os.urandom(16))


def check_in(channel: Channel, attendee: Attendee, tell: Callable[..., None]) -> dict | None:
    """Runs the session. The result; None when the kiosk gave no answer. Raises Fault for what the kiosk does wrong."""
    hello = verified_hello(channel, attendee)
    tell("kiosk", **hello["shown"])
    channel.send(
        attendee.key, type="initial_request", version=1, request=attendee.request, nonce=os.urandom(16),
        token=attendee.token, time=attendee.now(),
    )
    chosen = next(name for name in hello["authenticators"] if name in attendee.authenticators)
    pin, failed, wait = None, False, ANSWER_WAIT
    while True:
        try:
            message = channel.receive(wait)
        except Ended as end:
            tell("no_answer", why=end.how)
            return None
        kind = message["type"]
        if kind == "result":
            return finish(channel, attendee, message)
        if kind == "goodbye":
            tell("no_answer", why="goodbye")
            return None
        if kind == "pin":
            first, pin = pin is None, message["pin"]
            if chosen == PIN or failed:
                tell("pin", pin=pin, lifetime=message["lifetime"], attempts_left=message["attempts_left"])
            elif first:
                confirm(channel, attendee, chosen, pin)
            wait = PERSON_WAIT
        elif kind == "notice":
            tell("notice", notice=NOTICES[message["code"]], number=message.get("number"))
            if message["code"] == 4 and pin is not None:
                failed = True
                tell("pin", pin=pin)


def confirm(channel: Channel, attendee: Attendee, authenticator: str, pin: str) -> None:
    if authenticator != MOCK_BIOMETRIC:
        raise ValueError(f"this program cannot confirm with {authenticator}")
    channel.send(
        attendee.key, type="check_in_request", request=attendee.request, pin=pin, authenticator=authenticator,
        evidence=mock_biometric_evidence(channel.conversation.transcript),
    )


def finish(channel: Channel, attendee: Attendee, result: dict) -> dict:
    if result["request"] != attendee.request:
        raise Fault("wrong_request", "the result names another request")
    result["name"] = REASONS[result["reason"]]
    try:
        if channel.receive(GOODBYE_WAIT)["type"] == "goodbye":
            channel.send(attendee.key, type="goodbye")
    except Ended:
        pass
    return result


def verified_hello(channel: Channel, attendee: Attendee) -> dict:
    """The hello, once everything of section 7.5 holds. Nothing was sent before."""
    body = channel.receive_body(HELLO_WAIT)
    hello = from_payload(cose_sign.open_message(body).payload)
    if hello["type"] != "hello":
        raise Fault("wrong_turn", "the kiosk's first message is no hello")
    claims = tickets.read(hello["credential"], attendee.issuer)
    if claims.role != tickets.KIOSK:
        raise Fault("wrong_role", "what answered is no kiosk")
    if claims.event != attendee.event:
        raise Fault("wrong_event", "the kiosk is for another event")
    if (why := claims.time_fault(attendee.now())) is not None:
        raise Fault(why, "the kiosk's credential is outside its time")
    if claims.gates is not None and hello["gate"] not in claims.gates:
        raise Fault("wrong_gate", "the kiosk claims a gate that is not its own")
    channel.peer = claims.key
    channel.open(body)
    if 1 not in hello["versions"]:
        raise Fault("wrong_version", "the kiosk does not speak version 1")
    if not set(hello["authenticators"]) & set(attendee.authenticators):
        raise Fault("no_common_authenticator", "the kiosk accepts no way to confirm that this program has")
    return hello | {"shown": {"event_name": claims.event_name, "kiosk": claims.name, "gate": hello["gate"]}}
