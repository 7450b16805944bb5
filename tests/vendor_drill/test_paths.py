"""Pure: what an address names, where it begins, how answers' headers lead back through the proxy."""

from __future__ import annotations

import pytest

from once_delivery.vendor_drill.paths import begins, is_near, last_step, steps_of
from once_delivery.vendor_drill.proxy.addresses import Upstream
from once_delivery.vendor_drill.proxy.leading import Leading

PLAIN = "/index.php?rest_route=/wp/v2/posts"


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("/posts/7?per_page=12", {"posts", "7"}),
        (f"{PLAIN}/7&x=1", {"index.php", "wp", "v2", "posts", "7"}),
        ("/index.php?rest_route=%2Fwp%2Fv2%2Fposts%2F7", {"index.php", "wp", "v2", "posts", "7"}),
        ("/posts?id=7&parent=8", {"posts", "7"}),
        ("/a%20b", {"a b"}),
    ],
)
def test_the_steps_of_an_address(path: str, steps: set[str]) -> None:
    assert steps_of(path) == steps


@pytest.mark.parametrize(
    ("path", "creates_at", "there"),
    [
        ("/posts", "/posts", True),
        ("/posts/7", "/posts", True),
        ("/media", "/posts", False),
        ("/posts?x=1", "", True),
        (PLAIN, PLAIN, True),
        ("/index.php?lang=de&rest_route=%2Fwp%2Fv2%2Fposts", PLAIN, True),
        ("/index.php?rest_route=/wp/v2/media", PLAIN, False),
        ("/index.php", PLAIN, False),
        ("/stories?status=draft", "/stories?status=draft", True),
        ("/stories", "/stories?status=draft", False),
    ],
)
def test_whether_a_request_is_to_the_agreed_place(path: str, creates_at: str, there: bool) -> None:
    assert begins(path, creates_at) is there


@pytest.mark.parametrize(
    ("path", "creates_at", "near"),
    [
        ("/posts?slug=x", "/posts/?source=html", True),
        (f"{PLAIN}&slug=x", PLAIN, True),
        ("/index.php?rest_route=/wp/v2/users", PLAIN, False),
        ("/users", "/posts", False),
        ("/posts", "", False),
    ],
)
def test_whether_a_read_is_about_what_is_made_there(path: str, creates_at: str, near: bool) -> None:
    assert is_near(path, creates_at) is near


@pytest.mark.parametrize(
    ("address", "last"),
    [
        ("https://cms.example/posts/7/?x=1#y", "7"),
        ("https://cms.example/index.php?rest_route=%2Fwp%2Fv2%2Fposts%2F7", "7"),
        ("https://cms.example/?rest_route=/wp/v2/posts/7", "7"),
        ("https://cms.example/posts/7?next=/home", "7"),
        ("/index.php", "index.php"),
        ("https://cms.example", ""),
        ("https://[", ""),
        ("", ""),
    ],
)
def test_what_an_address_ends_with(address: str, last: str) -> None:
    assert last_step(address) == last


LEADING = Leading(Upstream.of("https://cms.example/wp"), "/pre/door", "http://proxy.example:8300")


@pytest.mark.parametrize(
    ("name", "given", "led"),
    [
        ("Location", "https://cms.example/wp/posts/7", "/pre/door/posts/7"),
        ("Content-Location", "/wp/posts/7", "/pre/door/posts/7"),
        (
            "Link",
            '<https://cms.example/wp/posts?page=2>; rel="next", <https://other.example/wp/>; rel="help"',
            '<http://proxy.example:8300/pre/door/posts?page=2>; rel="next", <https://other.example/wp/>; rel="help"',
        ),
        ("Set-Cookie", "s=1; Path=/wp/admin; Secure; HttpOnly", "s=1; Path=/pre/door/admin; HttpOnly"),
        ("Set-Cookie", "s=1; Domain=cms.example; path=/; SameSite=Lax", "s=1; Path=/pre/door; SameSite=Lax"),
        ("set-cookie", "s=1; Path=/wp", "s=1; Path=/pre/door"),
        ("Set-Cookie", "s=1; Path=/elsewhere", "s=1; Path=/elsewhere"),
        ("X-Other", "https://cms.example/wp/posts/7", "https://cms.example/wp/posts/7"),
    ],
)
def test_what_headers_name_leads_through_the_proxy_again(name: str, given: str, led: str) -> None:
    assert LEADING.led(name.encode(), given.encode()) == led.encode()


def test_a_cookie_stays_secure_where_the_caller_has_come_by_tls() -> None:
    leading = Leading(Upstream.of("https://cms.example"), "/door", "https://proxy.example")
    assert leading.led(b"Set-Cookie", b"s=1; Path=/; Secure") == b"s=1; Path=/door; Secure"
