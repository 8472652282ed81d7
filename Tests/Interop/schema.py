# SPDX-License-Identifier: Apache-2.0
"""Documentation/checkin.cddl, as a program that is not ours reads it: pycddl.

pycddl checks one rule against one item. Its `.cbor` inside an array does not work (0.6.4 wants every part of the array
to be a byte string then), so `bstr .cbor x` is written as `bstr` for it and each embedded item is checked by itself.
"""

from __future__ import annotations

import pathlib
import re

import pycddl

PATH = pathlib.Path(__file__).resolve().parent.parent.parent / "Documentation" / "checkin.cddl"


class Schemas:
    def __init__(self, path: pathlib.Path = PATH):
        self._text = re.sub(r"bstr \.cbor [a-z-]+", "bstr", path.read_text(encoding="utf-8"))
        self._schemas: dict[str, pycddl.Schema] = {}

    def fault(self, rule: str, data: bytes) -> str | None:
        """What pycddl has against `data` as `rule`; None where it has nothing."""
        if rule not in self._schemas:
            self._schemas[rule] = pycddl.Schema(f"start = {rule}\n" + self._text)
        try:
            self._schemas[rule].validate_cbor(data)
        except pycddl.ValidationError as error:
            return str(error).splitlines()[0]
        return None
