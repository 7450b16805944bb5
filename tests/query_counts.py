"""How many queries something makes, as it was written down: a change that makes another one is seen in its diff."""

from __future__ import annotations

import json
import os
from pathlib import Path


def written_down(counted: dict[str, int], file: Path) -> dict[str, int]:
    """What ``file`` says. With ``QUERY_COUNTS=write`` in the environment it says ``counted`` from now on."""
    if os.environ.get("QUERY_COUNTS") == "write":
        file.write_text(json.dumps(counted, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    found: dict[str, int] = json.loads(file.read_text(encoding="utf-8"))
    return found
