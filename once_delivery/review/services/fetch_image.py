"""An image of a draft, fetched for a person's page: by the house's own client, small, and of a known kind."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError
from once_delivery.common.http import HttpClient, HttpError, HttpRequest
from once_delivery.review.models import Draft
from once_delivery.review.reading import absolute, images_of
from once_delivery.targets.models import Target

DEADLINE_S = 10.0
BYTES_MOST = 8 * 1024 * 1024
_HOPS_MOST = 3
_OK, _MOVED = 200, frozenset({301, 302, 303, 307, 308})
_KINDS: tuple[tuple[bytes, int, str], ...] = (
    # what the bytes begin with, at which place, what that is; SVG is a document and is not among them
    (b"\x89PNG\r\n\x1a\n", 0, "image/png"),
    (b"\xff\xd8\xff", 0, "image/jpeg"),
    (b"GIF8", 0, "image/gif"),
    (b"WEBP", 8, "image/webp"),
    (b"ftypavif", 4, "image/avif"),
)


class ImageNotShownError(DomainError):
    """No image that may be shown."""

    code = "image-not-shown"
    template = gettext_noop("The image could not be fetched (%(reason)s).")


@dataclass(frozen=True, slots=True)
class Image:
    """Bytes and what they are, told by the bytes themselves."""

    body: bytes
    media_type: str


def fetch_image(*, draft: Draft, address: str) -> Image:
    """The image at ``address``, which must occur in ``draft``. Raises ImageNotShownError."""
    if address not in images_of(draft.content, base=base_of(draft)):
        raise ImageNotShownError(reason="not-in-the-draft")
    return image_at(address, target=draft.action.target)


def image_at(address: str, *, target: Target) -> Image:
    """The image at an address that ``target`` named. Raises ImageNotShownError."""
    body = _got(address, target)
    media_type = next((kind for start, at, kind in _KINDS if body[at : at + len(start)] == start), "")
    if not media_type:
        raise ImageNotShownError(reason="not-an-image")
    return Image(body, media_type)


def base_of(draft: Draft) -> str:
    """Where relative addresses of the draft's text begin."""
    return absolute(draft.url, draft.action.target.base_url) or draft.action.target.base_url


def _got(address: str, target: Target) -> bytes:
    """A few redirects are followed, each checked like the first address."""
    for _ in range(_HOPS_MOST + 1):
        # who writes a draft must not make us look around inside: only the target's own place may be there
        client = HttpClient(
            allow_inside=target.may_go_inside and _same_place(address, target.base_url), keep=0
        )
        try:
            result = client.send(HttpRequest("GET", address, DEADLINE_S, body_cap=BYTES_MOST))
        except HttpError as error:
            raise ImageNotShownError(reason=error.code) from None
        finally:
            client.close()
        if result.status in _MOVED:
            address = absolute(result.headers.get("location", ""), address)
            if not address:
                raise ImageNotShownError(reason="address-refused")
            continue
        if result.status != _OK or result.cut:
            raise ImageNotShownError(reason=result.cut or f"http-{result.status}")
        return result.body
    raise ImageNotShownError(reason="too-many-redirects")


def _same_place(one: str, other: str) -> bool:
    a, b = urlsplit(one), urlsplit(other)
    return (a.scheme, a.netloc) == (b.scheme, b.netloc)
