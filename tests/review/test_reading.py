"""What a target's HTML may not do in our page, and what people read in it."""

from __future__ import annotations

import pytest

from once_delivery.review.reading import harmless, images_of, plain

BASE = "https://cms.example/drafts/7"


def clean(text: str) -> str:
    return harmless(text, base=BASE, image_address=lambda source: f"/image/?of={source}")


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ("<p onclick=x() style='color:red' class=btn id=main>A</p>", "<p>A</p>"),
        ("<script>alert(1)</script><style>p{}</style>B", "B"),
        ("<svg onload=x()><circle/></svg><iframe src=//x></iframe>C", "C"),
        ("<form action=/x><input name=a><button>D</button></form>", "D"),
        ('<a href="javascript:x()">E</a>', '<a rel="noopener noreferrer nofollow external">E</a>'),
        ('<img src="data:image/png;base64,AA" alt="F">', '<img alt="F">'),
        ('<img src="https://a.example/x.png" srcset="https://t.example/1">', '<img src="/image/?of=https://a.example/x.png">'),
        ('<img src="/media/x.png">', '<img src="/image/?of=https://cms.example/media/x.png">'),
        ('<a href="../g" target="_top">G</a>', '<a href="https://cms.example/g" rel="noopener noreferrer nofollow external">G</a>'),
        ('<p>2 < 3 &amp; <b>ok</b>', "<p>2 &lt; 3 &amp; <b>ok</b></p>"),
    ],
)  # fmt: skip
def test_harmless(given: str, left: str) -> None:
    assert clean(given) == left


def test_plain_text_has_a_line_a_block() -> None:
    assert plain(
        "<h1>A&amp;B</h1><p>one\n <b>two</b></p><ul><li>x</li><li>y</li></ul><style>p{}</style>"
    ) == ("A&B\none two\nx\ny")
    assert plain("no markup:\n 2 < 3") == "no markup:\n 2 < 3"


def test_images_are_those_of_the_content_alone() -> None:
    content = {
        "title": "https://a.example/no-image",
        "body": '<img src="/x.png"><img src="/x.png"><p><img src="https://b.example/y"></p><img src="file:///etc/passwd">',
        "cover": " https://c.example/z.JPG?w=3 ",
    }
    assert images_of(content, base=BASE) == [
        "https://cms.example/x.png",
        "https://b.example/y",
        "https://c.example/z.JPG?w=3",
    ]
