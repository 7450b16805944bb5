from __future__ import annotations

import ast

from tests.house.sources import CHECKED, PACKAGES, name, python_files

MOST_LINES_A_FILE = 250
MOST_LINES_A_TEST_FILE = 400  # many small cases side by side are still read one by one
MOST_LINES_A_FUNCTION = 40


def test_every_file_fits_the_head() -> None:
    lines = {
        name(file): len(file.read_text(encoding="utf-8").splitlines()) for file in python_files(*CHECKED)
    }
    most = {
        file: MOST_LINES_A_TEST_FILE if file.startswith("tests/") else MOST_LINES_A_FILE for file in lines
    }
    assert {file: count for file, count in lines.items() if count > most[file]} == {}


def test_every_function_fits_the_screen() -> None:
    long = {}
    for file in python_files(*PACKAGES):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                count = (node.end_lineno or 0) - node.lineno + 1
                if count > MOST_LINES_A_FUNCTION:
                    long[f"{name(file)}::{node.name}"] = count
    assert long == {}


def test_every_file_says_its_noun() -> None:
    drawers = {"utils.py", "util.py", "helpers.py", "misc.py"}
    assert [name(file) for file in python_files(*CHECKED) if file.name in drawers] == []
