from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

from once_delivery.targets.registry import kinds
from tests.house.sources import ROOT


def test_imports_go_down_only() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_every_kind_of_target_is_kept_apart_from_the_others() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (apart,) = [set(contract["modules"]) for contract in contracts if contract["type"] == "independence"]
    assert {f"once_delivery.targets.{kind}" for kind in kinds()} == apart
