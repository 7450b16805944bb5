"""Images are fetched from where the draft says, and from nowhere else; what is no image is not shown."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from pytest_django import Settings

from once_delivery.common.errors import DomainError
from once_delivery.ledger.models import Task
from once_delivery.review.drafts import draft_action_of
from once_delivery.review.models import Draft
from once_delivery.review.services.fetch_draft import fetch_draft
from once_delivery.review.services.fetch_image import BYTES_MOST, fetch_image
from once_delivery.targets.models import Target
from tests.fakes.connector import FakeTarget

pytestmark = pytest.mark.django_db(transaction=True)

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


class _Pictures(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        name = self.path.strip("/")
        if name == "moved.png":
            self.send_response(302)
            self.send_header("Location", "/a.png")
            self.end_headers()
            return
        if name == "nowhere.png":
            self.send_response(302)
            self.send_header("Location", "http://[::1/a.png")
            self.end_headers()
            return
        if name == "away.png":
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.2:9/a.png")
            self.end_headers()
            return
        body = {"a.png": PNG, "b.svg": SVG, "c.png": b"<html>", "d.png": PNG + b"\0" * BYTES_MOST}.get(name)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
        """Quiet."""


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pictures)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def draft_with(task: Task, fake: FakeTarget, *sources: str, at: str = "", inside: bool = True) -> Draft:
    Target.objects.update(base_url=at, allow_inside=inside)
    body = "".join(f'<img src="{source}">' for source in sources)
    fake.change(fake.objects[0], {"title": "x", "body": body})
    return fetch_draft(action=draft_action_of(task))


def test_an_image_of_the_draft(task: Task, fake: FakeTarget, site: str) -> None:
    draft = draft_with(task, fake, "/a.png", f"{site}/moved.png", at=site)
    image = fetch_image(draft=draft, address=f"{site}/a.png")
    assert (image.body, image.media_type) == (PNG, "image/png")
    assert fetch_image(draft=draft, address=f"{site}/moved.png").body == PNG


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("b.svg", "not-an-image"),  # whatever the server calls it
        ("c.png", "not-an-image"),
        ("d.png", "body-too-large"),
        ("none.png", "http-404"),
        ("nowhere.png", "address-refused"),  # a redirect to what is no address
        ("away.png", "address-refused"),  # inside, and not the target's place
    ],
)
def test_what_is_not_shown(task: Task, fake: FakeTarget, site: str, name: str, reason: str) -> None:
    draft = draft_with(task, fake, f"/{name}", at=site)
    with pytest.raises(DomainError, match="image-not-shown") as caught:
        fetch_image(draft=draft, address=f"{site}/{name}")
    assert caught.value.params == {"reason": reason}


def test_only_what_occurs_in_the_draft(task: Task, fake: FakeTarget, site: str) -> None:
    draft = draft_with(task, fake, "/c.png", at=site)
    with pytest.raises(DomainError, match="image-not-shown") as caught:
        fetch_image(draft=draft, address=f"{site}/a.png")
    assert caught.value.params == {"reason": "not-in-the-draft"}


@pytest.mark.parametrize(("inside", "elsewhere"), [(False, False), (True, True)])
def test_a_draft_does_not_look_around_inside(
    task: Task, fake: FakeTarget, site: str, inside: bool, elsewhere: bool
) -> None:
    at = "https://cms.example" if elsewhere else site
    draft = draft_with(task, fake, f"{site}/a.png", at=at, inside=inside)
    with pytest.raises(DomainError, match="image-not-shown") as caught:
        fetch_image(draft=draft, address=f"{site}/a.png")
    assert caught.value.params == {"reason": "address-refused"}


def test_where_targets_may_not_lead_inside_no_image_is_looked_for_there(
    task: Task, fake: FakeTarget, site: str, settings: Settings
) -> None:
    settings.TARGETS_MAY_GO_INSIDE = False
    draft = draft_with(task, fake, f"{site}/a.png", at=site)
    with pytest.raises(DomainError, match="image-not-shown") as caught:
        fetch_image(draft=draft, address=f"{site}/a.png")
    assert caught.value.params == {"reason": "address-refused"}
