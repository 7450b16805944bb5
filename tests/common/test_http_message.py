from __future__ import annotations

import pytest

from once_delivery.common.http import HttpRequest, NotSentError
from once_delivery.common.http.message import Origin, encode_head, parse_url


@pytest.mark.parametrize(
    ("url", "origin", "target"),
    [
        ("http://cms.example", Origin("http", "cms.example", 80), "/"),
        ("https://CMS.example./a/b?c=d%20e", Origin("https", "cms.example", 443), "/a/b?c=d%20e"),
        ("https://bücher.example:8443/", Origin("https", "xn--bcher-kva.example", 8443), "/"),
        ("http://[::1]:80/x", Origin("http", "::1", 80), "/x"),
    ],
)
def test_addresses(url: str, origin: Origin, target: str) -> None:
    assert parse_url(url) == (origin, target)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://cms.example/", "file:///etc/passwd", "gopher://cms.example/", "//cms.example/", "cms.example",
        "http:///x", "http://", "http://user:pass@cms.example/", "http://user@cms.example/",
        "http://cms.example:99999/", "http://cms.example:x/", "http://cms.example/a b", "http://cms.example/a\nb",
        "http://cms.example/ä", "http://cms.example\\@evil.example/", "http://evil example/", "http://[::1/",
        "http://cms..example/", "http://a%00b/", "\thttp://cms.example/",
    ],
)  # fmt: skip
def test_addresses_that_are_refused(url: str) -> None:
    with pytest.raises(NotSentError) as caught:
        parse_url(url)
    assert caught.value.code == "bad-url"


@pytest.mark.parametrize(
    ("_case", "method", "headers"),
    [
        ("line end in value", "POST", {"X": "a\r\nY: b"}),
        ("NUL in value", "POST", {"X": "a\0b"}),
        ("beyond latin-1", "POST", {"X": "世"}),
        ("line end in name", "POST", {"X\r\nY": "a"}),
        ("blank in name", "POST", {"X Y": "a"}),
        ("length", "POST", {"Content-Length": "3"}),
        ("coding", "POST", {"transfer-encoding": "chunked"}),
        ("host", "POST", {"Host": "evil.example"}),
        ("method", "POST /x HTTP/1.1\r\n", {}),
    ],
)
def test_what_would_not_be_one_clean_request(_case: str, method: str, headers: dict[str, str]) -> None:
    with pytest.raises(NotSentError) as caught:
        encode_head(HttpRequest(method, "", 1, headers), Origin("http", "cms.example", 80), "/")
    assert caught.value.code == "bad-request"


def test_head() -> None:
    request = HttpRequest("POST", "", 1, {"Accept-Encoding": "identity"}, b"abc")
    assert encode_head(request, Origin("http", "::1", 8080), "/x") == (
        b"POST /x HTTP/1.1\r\nHost: [::1]:8080\r\nAccept-Encoding: identity\r\n"
        b"user-agent: once-delivery/0.1\r\nContent-Length: 3\r\n\r\n"
    )


def test_a_request_shows_no_secret() -> None:
    request = HttpRequest(
        "POST", "http://cms.example/", 1, {"Authorization": "Bearer hidden-one"}, b"hidden-two"
    )
    assert "hidden" not in repr(request)
