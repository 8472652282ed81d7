# SPDX-License-Identifier: Apache-2.0
"""What kiosks say on standard output: one JSON object on each line."""

from __future__ import annotations

import json
from typing import TextIO


def place(lines: TextIO) -> str:
    """Reads until the kiosk says where it listens."""
    for line in iter(lines.readline, ""):
        said = json.loads(line)
        if said.get("event") == "listening":
            return said["endpoint"]
    raise EOFError("the kiosk ended before it listened")
