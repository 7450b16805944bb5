from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.template.loader import get_template

from tests.house.sources import ROOT, name, template_files

# each of these the Content-Security-Policy would block
FORBIDDEN = {
    "inline style": re.compile(r"<style\b|\sstyle\s*=", re.IGNORECASE),
    "inline script": re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(?!\s*</script>)", re.IGNORECASE),
    "event attribute": re.compile(r"\son[a-z]+\s*=|\shx-on", re.IGNORECASE),
    "javascript address": re.compile(r"javascript:", re.IGNORECASE),
}
# written to a file to be printed or sent: it must carry its looks with it, and no policy applies to it
SELF_CONTAINED = {"templates/drill/report_file.html"}


@pytest.mark.parametrize("file", template_files(), ids=name)
def test_no_inline_style_or_script(file: Path) -> None:
    if name(file) in SELF_CONTAINED:
        return
    text = file.read_text(encoding="utf-8")
    assert [what for what, pattern in FORBIDDEN.items() if pattern.search(text)] == []


@pytest.mark.parametrize("file", template_files(), ids=name)
def test_compiles(file: Path) -> None:
    folders = [
        parent for parent in file.parents if parent.name == "templates" and parent.is_relative_to(ROOT)
    ]
    get_template(file.relative_to(folders[0]).as_posix())
