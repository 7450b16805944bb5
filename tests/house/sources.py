"""The files that the house rules are checked on."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("once_delivery", "reconciliation", "billing")
CHECKED = (*PACKAGES, "tests", "bench")


def python_files(*packages: str) -> list[Path]:
    return sorted(
        file
        for package in packages
        for file in (ROOT / package).rglob("*.py")
        if "migrations" not in file.parts and "__pycache__" not in file.parts
    )


def template_files() -> list[Path]:
    folders = [ROOT / "templates", *(ROOT / package for package in PACKAGES)]
    return sorted(
        file
        for folder in folders
        for file in folder.rglob("*")
        if file.suffix in {".html", ".txt"} and "templates" in file.parts
    )


def name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()
