# SPDX-License-Identifier: Apache-2.0
"""The kiosk's side of one session (Documentation/Protocol.md, section 7), without a ledger that lasts."""

from __future__ import annotations

import hmac
import os
import secrets
import time
from dataclasses import dataclass, field
from typing import Callable

import cose_sign
import tickets
from channel import Channel, Ended
from checkin_peer import Fault, MOCK_BIOMETRIC, PIN, PublicKey, REASONS, SigningKey, mock_biometric_evidence
from messages import from_payload

REQUEST_WAIT, SILENCE, PIN_LIFETIME, GOODBYE_WAIT = 10, 5, 120, 2
ATTEMPTS, CONFIRMATIONS = 3, 5


@dataclass
class Kiosk:
    key: SigningKey
    credential: bytes
    issuer: PublicKey
    event: str
    gate: str
    authenticators: list[str]
    now: Callable[[], int] = lambda: int(time.time())
    silence: float = SILENCE
    typed: list[str] = field(default_factory=list)
    new_pin: Callable[[], str] = lambda: f"{secrets.randbelow(100_000):05}"
    admitted: dict[str, tuple[int, str]] = field(default_factory=dict)
    answers: dict[tuple[str, bytes], dict] = field(default_factory=dict)


def serve(channel: Channel, kiosk: Kiosk, tell: Callable[..., None]) -> dict | None:
    """Runs one session: the result that was sent, or None. Raises Fault for what the attendee does wrong."""
    channel.send(
        kiosk.key, type="hello", versions=[1], session=os.urandom(16), nonce=os.urandom(16),
        credential=kiosk.credential, authenticators=kiosk.authenticators, gate=kiosk.gate, time=kiosk.now(),
    )
    body = channel.receive_body(REQUEST_WAIT)
    arrived = time.monotonic()
    try:
        request = from_payload(cose_sign.open_message(body).payload)
        if request["type"] != "initial_request":
            raise Fault("wrong_turn", "the attendee's first message is no initial request")
        if request["version"] != 1:
            raise Fault("wrong_version", "a version that the hello does not list")
    except Fault as fault:
        tell("protocol_error", why=fault.reason)
        keep_silent(channel, arrived + kiosk.silence)
        return None
    try:
        claims = tickets.read(request["token"], kiosk.issuer)
        if claims.role != tickets.ATTENDEE:
            raise Fault("wrong_role", "a token of no attendee's")
        channel.peer = claims.key
        channel.open(body)
    except Fault as fault:
        tell("invalid_token", why=fault.reason)
        keep_silent(channel, arrived + kiosk.silence)
        return None
    tell("initial_request", attendee=claims.subject, name=claims.name)
    answer = standing(kiosk, claims, request) or confirmation(channel, kiosk, claims, request, tell)
    if answer is None:
        return None
    kiosk.answers.setdefault((claims.subject, request["request"]), answer)
    channel.send(
        kiosk.key, type="result", request=request["request"], success=answer["reason"] == 0, **answer)
    tell("result", reason=REASONS[answer["reason"]])
    goodbye(channel, kiosk)
    return answer


def keep_silent(channel: Channel, until: float) -> None:
    """Reads and throws away, in bounded amounts, and ends at a time that nothing changes (R16)."""
    while (left := until - time.monotonic()) > 0:
        try:
            channel.receive_body(left)
        except (Ended, Fault) as end:
            if isinstance(end, Fault) or end.how != "timed_out":
                time.sleep(max(0, until - time.monotonic()))


def standing(kiosk: Kiosk, claims: tickets.Claims, request: dict) -> dict | None:
    """A refusal or an earlier answer; None when the attendee may go on."""
    if claims.event != kiosk.event:
        return refusal("wrong_event")
    if abs(request["time"] - kiosk.now()) > tickets.LEEWAY:
        return refusal("clock_skew")
    if (why := claims.time_fault(kiosk.now())) is not None:
        return refusal(why)
    if claims.gates is not None and kiosk.gate not in claims.gates:
        return refusal("wrong_gate")
    if (earlier := kiosk.answers.get((claims.subject, request["request"]))) is not None:
        return earlier
    if (entry := kiosk.admitted.get(claims.subject)) is not None:
        return refusal("already_admitted", admitted_at=entry[0], gate=entry[1])
    return None


def confirmation(channel, kiosk: Kiosk, claims: tickets.Claims, request: dict, tell) -> dict | None:
    pin = kiosk.new_pin()
    attempts, confirmations = ATTEMPTS, CONFIRMATIONS
    channel.send(kiosk.key, type="pin", pin=pin, lifetime=PIN_LIFETIME, attempts_left=attempts)
    channel.send(kiosk.key, type="notice", code=2)
    deadline = time.monotonic() + PIN_LIFETIME
    while True:
        if kiosk.typed and PIN in kiosk.authenticators:
            digits, convinced = kiosk.typed.pop(0).replace("PIN", pin), True
        else:
            try:
                message = channel.receive(deadline - time.monotonic())
            except Ended as end:
                return refusal("pin_expired") if end.how == "timed_out" else None
            if message["type"] == "cancel":
                return refusal("cancelled")
            if message["type"] != "check_in_request":
                return None
            if message["request"] != request["request"]:
                raise Fault("wrong_request", "another request than this session's")
            if message["authenticator"] not in kiosk.authenticators or message["authenticator"] == PIN:
                return refusal("authenticator_not_accepted")
            digits = message["pin"]
            expected = mock_biometric_evidence(channel.conversation.transcript)
            convinced = message["authenticator"] == MOCK_BIOMETRIC and message["evidence"] == expected
        if not hmac.compare_digest(digits.encode(), pin.encode()):
            attempts -= 1
            tell("wrong_pin", attempts_left=attempts)
            if attempts == 0:
                return refusal("too_many_attempts")
            channel.send(kiosk.key, type="notice", code=3, number=attempts)
        elif not convinced:
            confirmations -= 1
            if confirmations == 0 and PIN not in kiosk.authenticators:
                return refusal("authenticator_not_accepted")
            channel.send(kiosk.key, type="notice", code=4, number=max(0, confirmations))
        else:
            now = kiosk.now()
            kiosk.admitted[claims.subject] = (now, kiosk.gate)
            return {"reason": 0, "admitted_at": now, "gate": kiosk.gate}


def refusal(name: str, **more) -> dict:
    return {"reason": REASONS.index(name)} | more


def goodbye(channel: Channel, kiosk: Kiosk) -> None:
    try:
        channel.send(kiosk.key, type="goodbye")
        while channel.receive(GOODBYE_WAIT)["type"] != "goodbye":
            pass
    except Ended:
        pass
