"""Keys: what is made of a name, and which keys are ours."""

from __future__ import annotations

import pytest

from once_delivery.targets.s3.keys import Template, readable
from tests.targets.s3_store import MARKER

FILES = Template.read("files/{marker}/{name}")


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("kettle.png", "kettle.png"),
        ("Kessel rot+groß 50%.PNG", "Kessel-rot-groß-50.PNG"),
        ("产品 标题.jpg", "产品-标题.jpg"),
        ("e\u0301t\u00e9.png", "\u00e9t\u00e9.png"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Bilder\\a.png", "a.png"),
        ("a..b...png", "a.b.png"),
        (".htaccess", "htaccess"),
        ("..", "file"),
        ("", "file"),
        ("???.png", "png"),
        ("archive.tar.gz", "archive.tar.gz"),
        ("x" * 500 + ".png", "x" * 80 + ".png"),
        ("标" * 500 + ".png", "标" * 46 + ".png"),
        ("\x00\n.txt", "txt"),
    ],
)
def test_a_readable_name(name: str, part: str) -> None:
    assert readable(name) == part
    assert FILES.marker_of(FILES.key(MARKER, name=name, sha256="")) == MARKER


@pytest.mark.parametrize(
    ("template", "key", "ours"),
    [
        ("files/{marker}/{name}", f"files/{MARKER}/a.png", True),
        ("files/{marker}/{name}", f"files/{MARKER}/a/b.png", False),
        ("files/{marker}/{name}", f"files/{MARKER}/", False),
        ("files/{marker}/{name}", f"other/files/{MARKER}/a.png", False),
        ("files/{marker}/{name}", f"files/{MARKER}x/a.png", False),
        ("files/{marker}/{name}", "files/once-check/a.png", False),
        ("drafts/{marker}.json", f"drafts/{MARKER}.json", True),
        ("drafts/{marker}.json", f"drafts/{MARKER}xjson", False),
        ("drafts/{marker}.json", f"drafts/{MARKER}.json\n", False),
        ("drafts/{marker}", f"drafts/{MARKER}", True),
        ("drafts/{marker}/{sha256}.json", f"drafts/{MARKER}/{'0' * 64}.json", True),
        ("drafts/{marker}/{sha256}.json", f"drafts/{MARKER}/x.json", False),
    ],
)
def test_whose_a_key_is(template: str, key: str, *, ours: bool) -> None:
    assert Template.read(template).marker_of(key) == (MARKER if ours else None)
