from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.house.sources import ROOT


def test_imports_go_down_only() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
