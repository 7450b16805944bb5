from __future__ import annotations

import ast
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from tests.house.sources import PACKAGES, ROOT, name, python_files

PIN = re.compile(r"^([A-Za-z0-9._-]+)(\[[a-z0-9,]+\])?==\S+\s+# \S.*$")
# what an extra in brackets brings
EXTRAS = {"psycopg-pool"}
OUR_OWN = {*PACKAGES, "tests", "bench"}


def pins(file: str) -> set[str]:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return {_normal(line.split("==")[0].split("[")[0]) for line in lines if "==" in line}


def _normal(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


class _WithoutTypes(ast.NodeTransformer):
    """What is imported for the type checker alone is not there at run time."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else node


def _imported(file: Path) -> set[str]:
    found = set()
    tree = _WithoutTypes().visit(ast.parse(file.read_text(encoding="utf-8")))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names) - OUR_OWN


def test_every_requirement_is_pinned_and_says_why() -> None:
    for file in ("requirements.txt", "requirements-dev.txt"):
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
        wrong = [line for line in lines if line and not line.startswith(("#", "-r ")) and not PIN.match(line)]
        assert wrong == [], file


def test_what_is_imported_is_required() -> None:
    brought_by = packages_distributions()
    required = pins("requirements.txt") | EXTRAS
    missing = {
        f"{name(file)}: {module}"
        for file in python_files(*PACKAGES)
        for module in _imported(file)
        if not {_normal(distribution) for distribution in brought_by.get(module, [])} & required
    }
    assert missing == set()


def test_the_constraints_hold_every_pin() -> None:
    assert (pins("requirements.txt") | pins("requirements-dev.txt")) - pins("constraints.txt") == set()
