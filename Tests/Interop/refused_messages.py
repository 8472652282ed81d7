# SPDX-License-Identifier: Apache-2.0
"""Messages that must be refused, and the edges of what must be accepted."""

from __future__ import annotations

import hashlib

import cbor2

import make_vectors
from checkin_peer import ATTENDEE, KIOSK, context, decode, encode, external_aad
from cose_sign import SigningKey, sign, sig_structure
from messages import NUMBERS, SHAPES
from raw_cbor import bstr, nested, raw
from vector_keys import ED, KEYS, fixed


class Place:
    """Where in a recorded conversation the next message is expected: from whom, by which key, with which data."""

    def __init__(self, recorder, after: int):
        self.recorder, self.after = recorder, after
        step = recorder.steps[after]
        self.role = KIOSK if step["from"] == "kiosk" else ATTENDEE
        self.key: SigningKey = KEYS[recorder.kiosk if self.role == KIOSK else recorder.attendee]
        self.aad = bytes.fromhex(step["external_aad"])
        self.context = bytes.fromhex(step["context"])
        self.sequence = step["sequence"]
        self.body = bytes.fromhex(step["body"])
        self.payload = bytes.fromhex(step["payload"])
        self.value = decode(self.payload)
        self.parts = decode(self.body).value

    def entry(self, name: str, body: bytes, **more) -> dict:
        return {
            "name": name, "conversation": self.recorder.name, "after": self.after,
            "from": "kiosk" if self.role == KIOSK else "attendee",
            "key": self.recorder.kiosk if self.role == KIOSK else self.recorder.attendee,
            "external_aad": self.aad.hex(), "body": body.hex(),
        } | more

    def signed(self, payload: bytes, header: dict | None = None, aad: bytes | None = None, key=None) -> bytes:
        return sign(key or self.key, payload, self.aad if aad is None else aad, header=header)

    def changed(self, **changes) -> bytes:
        """The expected message with other values, rightly signed. Keys are given as `k1=…`; None takes one out."""
        value = dict(self.value)
        for key, item in changes.items():
            key = int(key[1:].replace("m", "-"))
            value.pop(key, None) if item is None else value.update({key: item})
        return self.signed(encode(value))

    def with_header_bytes(self, protected: bytes, unprotected: bytes = b"\xa0") -> bytes:
        signature = self.key.sign(sig_structure(protected, self.aad, self.payload))
        return raw("d284", bstr(protected), unprotected, bstr(self.payload), bstr(signature))


def messages() -> dict:
    recorder = make_vectors.admitted(ED)
    hello, request, pin = Place(recorder, 0), Place(recorder, 1), Place(recorder, 2)
    notice, confirm, result = Place(recorder, 3), Place(recorder, 10), Place(recorder, 11)
    refused = (
        _wrong_form(pin) + _wrong_headers(pin) + _wrong_place(recorder, pin, confirm, hello, result)
        + _wrong_payload(pin) + _wrong_fields(hello, request, pin, notice, confirm, result)
        + _wrong_turn(hello, request, pin, confirm, result)
    )
    return {"accepted": _accepted(hello, request, pin, notice, confirm, result), "refused": refused}


def _wrong_form(pin: Place) -> list[dict]:
    protected, _, payload, signature = pin.parts
    entry = lambda name, body, reason: pin.entry(name, body, reason=reason, fault="malformed", level="message")
    p, y, s = bstr(protected), bstr(payload), bstr(signature)
    return [
        entry("empty array", raw("d280"), "wrong_shape"),
        entry("length not shortest", raw("d2845803", protected, b"\xa0", y, s), "not_shortest"),
        entry("tag not shortest", raw("d81284", p, b"\xa0", y, s), "not_shortest"),
        entry("array length left open", raw("d29f", p, b"\xa0", y, s, b"\xff"), "indefinite_length"),
        entry("payload length left open", raw("d284", p, b"\xa0\x5f", y, b"\xff", s), "indefinite_length"),
        entry("a byte too many", pin.body + b"\x00", "trailing_bytes"),
        entry("a byte too few", pin.body[:-1], "truncated"),
        entry("cut after the headers", raw("d284", p, b"\xa0"), "truncated"),
        entry("no tag", raw("84", p, b"\xa0", y, s), "wrong_tag"),
        entry("the tag of COSE_Sign", raw("d86284", p, b"\xa0", y, s), "wrong_tag"),
        entry("the tag of COSE_Mac0", raw("d184", p, b"\xa0", y, s), "wrong_tag"),
        entry("the tag of a CWT in front", raw("d83d", pin.body), "wrong_tag"),
        entry("three parts", raw("d283", p, b"\xa0", y), "wrong_shape"),
        entry("five parts", raw("d285", p, b"\xa0", y, s, b"\x00"), "wrong_shape"),
        entry("detached payload", raw("d284", p, b"\xa0\xf6", s), "wrong_shape"),
        entry("payload as text", raw("d284", p, b"\xa0\x61\x61", s), "wrong_shape"),
        entry("signature of 63 bytes", raw("d284", p, b"\xa0", y, bstr(signature[:-1])), "wrong_shape"),
        entry("signature of 65 bytes", raw("d284", p, b"\xa0", y, bstr(signature + b"\x00")), "wrong_shape"),
        entry("no signature", raw("d284", p, b"\xa0", y, b"\x40"), "wrong_shape"),
        entry("protected header as a map", raw("d284a10127a0", y, s), "wrong_shape"),
        entry("unprotected header as an array", raw("d284", p, b"\x80", y, s), "wrong_shape"),
        entry("not CBOR", b"GET / HTTP/1.1\r\n\r\n", "trailing_bytes"),
        entry("JSON", b'{"type":"pin"}', "truncated"),
        entry("array of 2^32 items promised", raw("d29b0000000100000000"), "truncated"),
        entry("string of 2^63 bytes promised", raw("d2845b8000000000000000"), "truncated"),
    ]


def _wrong_headers(pin: Place) -> list[dict]:
    def entry(name, protected, reason, unprotected=b"\xa0", fault="malformed"):
        body = pin.with_header_bytes(bytes.fromhex(protected), unprotected)
        return pin.entry(name, body, reason=reason, fault=fault, level="message")

    return [
        entry("kid in the protected header", "a2012704416b", "protected_header"),
        entry("an unknown protected label", "a201271863f6", "protected_header"),
        entry("crit that names an unknown label", "a3012702811863" + "1863f6", "critical_header"),
        entry("crit that names alg", "a20127028101", "critical_header"),
        entry("empty crit", "a201270280", "critical_header"),
        entry("empty protected header", "", "truncated"),
        entry("protected header without alg", "a0", "protected_header"),
        entry("alg by name", "a1016545644453" + "41", "protected_header"),
        entry("alg of ES384", "a1013822", "protected_header"),
        entry("alg 2^64-1 below zero", "a1013bffffffffffffffff", "protected_header"),
        entry("alg not shortest", "a1013807", "not_shortest"),
        entry("protected header twice alg", "a201270127", "duplicate_key"),
        entry("a byte after the protected header", "a1012700", "trailing_bytes"),
        entry("protected header no map", "8101", "protected_header"),
        entry("alg only in the unprotected header", "a0", "unprotected_header", bytes.fromhex("a10127")),
        entry("alg in both headers", "a10127", "unprotected_header", bytes.fromhex("a10127")),
        entry("kid in the unprotected header", "a10127", "unprotected_header", bytes.fromhex("a104416b")),
        entry("crit in the unprotected header", "a10127", "unprotected_header", bytes.fromhex("a1028101")),
        entry("the algorithm is not the key's", "a10126", "wrong_algorithm", fault="not_authentic"),
    ]


def _wrong_place(recorder, pin: Place, confirm: Place, hello: Place, result: Place) -> list[dict]:
    protected, _, payload, signature = pin.parts
    envelope = lambda p, s: raw("d284", bstr(protected), b"\xa0", bstr(p), bstr(s))
    entry = lambda place, name, body: place.entry(
        name, body, reason="bad_signature", fault="not_authentic", level="message")
    role, seq, ctx = pin.role, pin.sequence, pin.context
    aad = lambda r=role, n=seq, c=ctx: external_aad(r, n, c)
    step = lambda index: bytes.fromhex(recorder.steps[index]["body"])
    other = make_vectors.admitted("es256")
    bound = make_vectors.admitted(ED, fixed("binding", 32))
    parts = lambda *bodies: context(b"", *bodies)
    flipped = payload[:-1] + bytes([payload[-1] ^ 1])
    first_place = Place(recorder, 1)
    return [
        entry(pin, "a changed payload", envelope(flipped, signature)),
        entry(pin, "a changed signature", envelope(payload, bytes([signature[0] ^ 1]) + signature[1:])),
        entry(pin, "a signature of zeros", envelope(payload, bytes(64))),
        entry(pin, "doubled: the message before it again", step(0)),
        entry(pin, "dropped: the message after it", step(3)),
        entry(pin, "sequence one too low", pin.signed(payload, aad=aad(n=seq - 1))),
        entry(pin, "sequence one too high", pin.signed(payload, aad=aad(n=seq + 1))),
        entry(pin, "reflected: the attendee's own request", step(1)),
        entry(confirm, "reflected: the kiosk's own notice", step(9)),
        entry(pin, "right key, the other role", pin.signed(payload, aad=aad(r=1 - role))),
        entry(pin, "signed by another kiosk", pin.signed(payload, key=KEYS[f"other_kiosk-{ED}"])),
        entry(pin, "signed by the issuer", pin.signed(payload, key=KEYS[f"issuer-{ED}"])),
        entry(pin, "signed by the attendee", pin.signed(payload, key=KEYS[f"ada-{ED}"])),
        entry(pin, "another session, the same keys", bytes.fromhex(bound.steps[2]["body"])),
        pin.entry("another session, other keys", bytes.fromhex(other.steps[2]["body"]), reason="wrong_algorithm",
                  fault="not_authentic", level="message"),
        entry(pin, "context without the request", pin.signed(payload, aad=aad(c=parts(hello.body)))),
        entry(pin, "context without the hello", pin.signed(payload, aad=aad(c=parts()))),
        entry(pin, "another channel binding", pin.signed(
            payload, aad=aad(c=context(b"x", hello.body, step(1))))),
        entry(pin, "parts joined without an array", pin.signed(payload, aad=aad(c=_plain_hash(hello.body + step(1))))),
        entry(pin, "no external_aad", pin.signed(payload, aad=b"")),
        entry(pin, "another protocol name", pin.signed(payload, aad=encode(["checkin/2", role, seq, ctx]))),
        entry(pin, "external_aad with sequence first", pin.signed(payload, aad=encode(["checkin/1", seq, role, ctx]))),
        entry(hello, "a hello by another key", hello.signed(hello.payload, key=KEYS[f"other_kiosk-{ED}"])),
        entry(hello, "a hello with another channel binding", hello.signed(
            hello.payload, aad=external_aad(KIOSK, 0, context(b"x")))),
        entry(first_place, "a request for another hello", first_place.signed(
            first_place.payload, aad=external_aad(ATTENDEE, 0, context(b"", hello.body + b"x")))),
        entry(first_place, "a request that was recorded in another session", bytes.fromhex(bound.steps[1]["body"])),
        entry(first_place, "a copied token, another key", first_place.signed(
            first_place.payload, key=KEYS[f"grace-{ED}"])),
        entry(result, "a result from another session", bytes.fromhex(bound.steps[11]["body"])),
    ]


def _plain_hash(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _wrong_payload(pin: Place) -> list[dict]:
    def entry(name, payload, reason, fault="malformed"):
        return pin.entry(name, pin.signed(payload), reason=reason, fault=fault, level="message")

    h = bytes.fromhex
    tail = h("01653030343137" + "021878" + "0303")  # keys 1, 2 and 3
    good = h("a40003") + tail
    assert good == pin.payload
    with_key = lambda key, value: h("a50003") + tail + h(key) + value
    return [
        entry("empty payload", b"", "truncated"),
        entry("payload no map", encode([3, "00417", 120, 3]), "not_a_message"),
        entry("payload empty map", b"\xa0", "not_a_message"),
        entry("type missing", h("a3") + tail, "not_a_message"),
        entry("type as text", h("a4006133") + tail, "not_a_message"),
        entry("type negative", h("a40022") + tail, "not_a_message"),
        entry("type as a bignum", h("a400c24103") + tail, "not_shortest"),
        entry("type 0", h("a10000"), "unknown_type", "unknown_type"),
        entry("type 9", h("a10009"), "unknown_type", "unknown_type"),
        entry("type 63", h("a100183f"), "unknown_type", "unknown_type"),
        entry("type not shortest", h("a4001803") + tail, "not_shortest"),
        entry("map length not shortest", h("b8040003") + tail, "not_shortest"),
        entry("map length left open", h("bf0003") + tail + h("ff"), "indefinite_length"),
        entry("text length left open", h("a40003017f61306430343137ff0218780303"), "indefinite_length"),
        entry("keys not sorted", h("a40003") + h("021878") + h("01653030343137") + h("0303"), "keys_not_sorted"),
        entry("key twice", h("a50003") + h("01653030343137") + tail, "duplicate_key"),
        entry("a byte after the payload", good + b"\x00", "trailing_bytes"),
        entry("a negative key", with_key("20", b"\x00"), "critical_key"),
        entry("a negative key of two bytes", with_key("3818", b"\x00"), "critical_key"),
        entry("a text as key", with_key("6161", b"\x00"), "key_not_integer"),
        entry("bytes as key", with_key("4161", b"\x00"), "key_not_integer"),
        entry("older order: a longer key after a negative one", h("a6000301653030343137021878030320001863f6"),
              "keys_not_sorted"),
        entry("a key of 2^63", with_key("1b8000000000000000", b"\x00"), "key_not_integer"),
        entry("a float in an unknown key", with_key("09", h("f93c00")), "unsupported_value"),
        entry("undefined in an unknown key", with_key("09", h("f7")), "unsupported_value"),
        entry("simple value 32 in an unknown key", with_key("09", h("f820")), "unsupported_value"),
        entry("a break in an unknown key", with_key("09", h("ff")), "indefinite_length"),
        entry("text that is not UTF-8 in an unknown key", with_key("09", h("62c328")), "not_utf8"),
        entry("a surrogate in an unknown key", with_key("09", h("63eda080")), "not_utf8"),
        entry("overlong UTF-8 in an unknown key", with_key("09", h("62c080")), "not_utf8"),
        entry("nine deep", with_key("09", encode(nested(8))), "too_deep"),
        entry("a thousand deep", with_key("09", b"\x81" * 1000 + b"\x00"), "too_deep"),
        entry("keys not sorted inside an unknown key", with_key("09", h("a202000100")), "keys_not_sorted"),
        entry("reserved length", with_key("09", h("1c")), "reserved"),
        entry("array of 2^32 items promised inside", with_key("09", h("9b0000000100000000")), "truncated"),
    ]


def _wrong_fields(hello, request, pin, notice, confirm, result) -> list[dict]:
    bad = []

    def entry(place, name, reason="bad_value", **changes):
        bad.append(place.entry(name, place.changed(**changes), reason=reason, fault="malformed", level="message"))

    for place in (hello, request, pin, confirm, result):
        kind, _, fields = SHAPES[place.value[0]]
        for key, (field, _, required) in fields.items():
            if required:
                entry(place, f"{kind} without {field}", "missing_key", **{f"k{key}": None})
            entry(place, f"{kind}: {field} of another type", **{f"k{key}": [None]})
    entry(notice, "notice without code", "missing_key", k1=None)
    entry(notice, "waiting without number", "missing_key", k2=None)
    entry(notice, "notice 0", k1=0)
    entry(notice, "notice 5", k1=5)
    entry(notice, "waiting for minus one", k2=-1)
    for digits in ("", "0041", "004170", "0041a", "0041 ", "-0417", "٠٠٤١٧", "００４１７", "0041\n"):
        entry(pin, f"PIN {digits!r}", k1=digits)
        entry(confirm, f"check-in request with PIN {digits!r}", k2=digits)
    entry(pin, "PIN as a number", k1=417)
    entry(pin, "PIN as bytes", k1=b"00417")
    entry(pin, "lifetime below zero", k2=-1)
    entry(pin, "lifetime of 2^32 seconds", k2=1 << 32)
    entry(pin, "attempts left as text", k3="3")
    entry(hello, "hello with no version", k1=[])
    entry(hello, "hello with 17 versions", k1=list(range(1, 18)))
    entry(hello, "hello with a negative version", k1=[1, -1])
    for key, what in ((2, "session"), (3, "nonce")):
        entry(hello, f"{what} of 15 bytes", **{f"k{key}": bytes(15)})
        entry(hello, f"{what} of 17 bytes", **{f"k{key}": bytes(17)})
    entry(hello, "credential of 4097 bytes", k4=bytes(4097))
    entry(hello, "17 authenticators", k5=[f"a{index}" for index in range(17)])
    entry(hello, "authenticator of 65 bytes", k5=["a" * 65])
    entry(hello, "gate of 129 bytes", k6="g" * 129)
    entry(hello, "gate of 65 letters and 130 bytes", k6="ü" * 65)
    entry(hello, "gate as bytes", k6=b"North")
    entry(hello, "time of 2^63", k7=1 << 63)
    entry(hello, "time of -2^63-1", k7=-(1 << 63) - 1)
    entry(hello, "time as a tagged number", k7=cbor2.CBORTag(1000, 1))
    entry(request, "token of 4097 bytes", k4=bytes(4097))
    entry(request, "token as text", k4="token")
    entry(request, "request id of 15 bytes", k2=bytes(15))
    entry(request, "request id of 17 bytes", k2=bytes(17))
    entry(request, "version below zero", k1=-1)
    entry(confirm, "evidence of 4097 bytes", k4=bytes(4097))
    entry(confirm, "authenticator of 65 bytes in a request", k3="a" * 65)
    entry(result, "success with a refusal", k3=1)
    entry(result, "no success with admitted", k2=False)
    entry(result, "success as a number", k2=1)
    entry(result, "reason 256", k2=False, k3=256)
    entry(result, "reason unknown", k2=False, k3=200)
    entry(result, "result gate of 129 bytes", k5="g" * 129)
    entry(result, "wait of 2^32 seconds", k6=1 << 32)
    return bad


def _wrong_turn(hello, request, pin, confirm, result) -> list[dict]:
    def turn(place, name, message):
        return place.entry(
            name, place.signed(message), reason="wrong_turn", fault="unexpected_message", level="message")

    simple = lambda kind: encode({0: NUMBERS[kind]})
    session = [
        request.entry("a version that was not offered", request.changed(k1=2), reason="wrong_version",
                      fault="wrong_version", level="session"),
        confirm.entry("another request in the check-in request", confirm.changed(k1=fixed("other request")),
                      reason="wrong_request", fault="wrong_request", level="session"),
        result.entry("another request in the result", result.changed(k1=fixed("other request")),
                     reason="wrong_request", fault="wrong_request", level="session"),
    ]
    return [
        turn(pin, "a second hello", hello.payload),
        turn(confirm, "a second initial request", request.payload),
        turn(pin, "the kiosk cancels", simple("cancel")),
        turn(pin, "the kiosk sends a check-in request", confirm.payload),
        turn(confirm, "the attendee sends a PIN", pin.payload),
        turn(confirm, "the attendee sends a result", result.payload),
        turn(confirm, "the attendee sends a notice", encode({0: 6, 1: 2})),
        turn(hello, "a goodbye in place of the hello", simple("goodbye")),
        turn(hello, "an initial request in place of the hello", request.payload),
        turn(hello, "a type to skip in place of the hello", encode({0: 64})),
        turn(request, "a cancel in place of the initial request", simple("cancel")),
        turn(request, "a hello in place of the initial request", hello.payload),
        turn(request, "a type to skip in place of the initial request", encode({0: 64})),
    ] + session


def _accepted(hello, request, pin, notice, confirm, result) -> list[dict]:
    good = []

    def entry(place, name, skipped=False, **changes):
        good.append(place.entry(name, place.changed(**changes), skipped=skipped))

    entry(pin, "an unknown key", k9=1)
    entry(pin, "an unknown key with null and booleans", k9=[None, False, True])
    entry(pin, "the largest key", **{f"k{(1 << 63) - 1}": 0})
    entry(pin, "an unknown key, eight deep with the map", k9=nested(7))
    entry(pin, "an unknown key with a tag", k9=cbor2.CBORTag(1000, {"a": b"b", -1: [1 << 63, -(1 << 64)]}))
    entry(pin, "an unknown key with a bignum that needs to be one", k9=cbor2.CBORTag(2, b"\x01" + bytes(8)))
    entry(pin, "a lifetime of 2^32-1 seconds and 2^64-1 attempts", k2=(1 << 32) - 1, k3=(1 << 64) - 1)
    entry(notice, "on screen with a number", k1=2)
    entry(notice, "waiting for 2^64-1", k2=(1 << 64) - 1)
    entry(hello, "16 versions", k1=[1] + list(range(100, 115)))
    entry(hello, "16 authenticators of 64 bytes", k5=["a" * 63 + f"{index:x}" for index in range(16)])
    entry(hello, "a gate of 128 bytes", k6="ü" * 64)
    entry(hello, "an empty gate", k6="")
    entry(hello, "the latest time", k7=(1 << 63) - 1)
    entry(hello, "the earliest time", k7=-(1 << 63))
    entry(request, "a token of 4096 bytes", k4=bytes(4096))
    entry(request, "a token of no bytes", k4=b"")
    entry(confirm, "evidence of 4096 bytes", k4=bytes(4096))
    entry(confirm, "no evidence", k4=b"")
    entry(result, "a refusal with everything", k2=False, k3=4, k6=0)
    entry(result, "an admission with nothing", k4=None, k5=None)
    for name, payload in (
        ("type 64, skipped", {0: 64}),
        ("type 2^64-1 with keys that are nobody's business, skipped", {0: (1 << 64) - 1, -1: 1, "x": b""}),
    ):
        good.append(pin.entry(name, pin.signed(encode(payload)), skipped=True))
    high = Place(make_vectors.admitted("es256"), 2)
    protected, _, payload, signature = high.parts
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    turned = (order - int.from_bytes(signature[32:], "big")).to_bytes(32, "big")
    body = raw("d284", bstr(protected), b"\xa0", bstr(payload), bstr(signature[:32] + turned))
    good.append(high.entry("ES256 with the other s", body, skipped=False))
    return good
