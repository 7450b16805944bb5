"""What a request says of its own text reaches nothing that Django does before it handles errors."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from once_delivery.config.charset import plain_content_type
from once_delivery.config.wsgi import application

CODECS = ("hex", "zlib", "base64", "rot13", "idna", "punycode", "undefined", "bz2", "utf-16", "utf_7", "gbk")
ODD = (
    "text/html; charset*=hex''x",
    "text/html; x*=klingon''y",
    "text/html; charset*0=he; charset*1=x",
    'text/html; x="a;charset=hex; y="',
    "text/html; Charset = hex",
    "text/html; charset=utf-8; charset=hex",
    'text/html; charset="hex"',
)


def status_of(path: str, query: str, content_type: str) -> str:
    said: list[str] = []
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_TYPE": content_type,
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": io.StringIO(),
    }

    def start(status: str, *_: object) -> Callable[[bytes], object]:
        said.append(status)
        return lambda _: None

    answer = application(environ, start)
    list(answer)
    return said[0][:3]


@pytest.mark.django_db
@pytest.mark.parametrize("content_type", [*(f"text/html; charset={name}" for name in CODECS), *ODD])
def test_no_codec_of_pythons_breaks_a_request(content_type: str) -> None:
    assert status_of("/sign-in/", "next=/x%c3%a9", content_type) == "200"
    assert status_of("/api/v1/deliveries", "product=%c3%a9", content_type) == "401"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""),
        ("application/json", "application/json"),
        ("application/json; charset=utf-8", "application/json; charset=utf-8"),
        ('application/json;charset="UTF-8"', 'application/json;charset="UTF-8"'),
        ("application/json; charset=latin-1", "application/json"),
        ("multipart/form-data; boundary=--x", "multipart/form-data; boundary=--x"),
        ("multipart/form-data; charset=hex; boundary=--x", "multipart/form-data; boundary=--x"),
    ],
)
def test_what_is_kept(given: str, kept: str) -> None:
    assert plain_content_type(given) == kept
