# SPDX-License-Identifier: Apache-2.0
"""The check-in protocol, version 1, in Python: written from Documentation/Protocol.md, and from nothing else.

It exists so that the library is tested against somebody who did not write it. The parts:

  strict_cbor    deterministic CBOR, strictly read
  cose_sign      keys and COSE_Sign1
  tickets        tickets and kiosk credentials
  messages       the payloads
  conversation   sequence numbers, contexts, frames
  identity_files the files that the organizer program writes
"""

from conversation import Conversation, context, external_aad, frame, read_frame
from cose_sign import EDDSA, ES256, PublicKey, SigningKey, open_message
from messages import ATTENDEE, KIOSK, NOTICES, REASONS, from_payload, to_payload
from strict_cbor import Fault, decode, encode

MOCK_BIOMETRIC = "mock-biometric"
PIN = "pin"


def mock_biometric_evidence(transcript: bytes) -> bytes:
    """What the mock authenticator's verifier accepts (section 15)."""
    return b"mock-biometric/1" + transcript


__all__ = [
    "ATTENDEE", "Conversation", "EDDSA", "ES256", "Fault", "KIOSK", "MOCK_BIOMETRIC", "NOTICES", "PIN", "PublicKey",
    "REASONS", "SigningKey", "context", "decode", "encode", "external_aad", "frame", "from_payload",
    "mock_biometric_evidence", "open_message", "read_frame", "to_payload",
]
