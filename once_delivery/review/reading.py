"""The content of a draft as people read it: harmless HTML, its plain text, its images. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import nh3

_TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "cite", "code", "dd", "del", "div", "dl", "dt", "em", "figcaption",
    "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q",
    "s", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "u",
    "ul",
}  # fmt: skip
_ATTRIBUTES = {
    "*": {"lang", "dir"},
    "a": {"href", "title"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "time": {"datetime"},
}
_SCHEMES = {"http", "https", "mailto"}
_REL = "noopener noreferrer nofollow external"
_MARKUP = re.compile(r"<[a-zA-Z/!][^<>]*>")
_IMAGE_NAME = re.compile(r"\.(avif|gif|jpe?g|png|webp)$", re.IGNORECASE)
_BLOCKS = _TAGS - {
    "a", "abbr", "b", "cite", "code", "del", "em", "i", "img", "ins", "kbd", "mark", "q", "s", "small", "span",
    "strong", "sub", "sup", "time", "u",
}  # fmt: skip
_SILENT = {"script", "style", "template", "head", "noscript"}
IMAGES_MOST = 60


def is_markup(text: str) -> bool:
    """Whether a field is HTML rather than words."""
    return _MARKUP.search(text) is not None


def harmless(text: str, *, base: str, image_address: Callable[[str], str]) -> str:
    """``text`` without anything that runs, loads or looks like the page around it.

    ``image_address`` gives the address under which this house shows an image; other sources are dropped.
    Relative addresses are those of ``base``.
    """

    def filtered(element: str, attribute: str, value: str) -> str | None:
        if (element, attribute) == ("img", "src"):
            source = absolute(value, base)
            return image_address(source) if source else None
        if (element, attribute) == ("a", "href"):
            return value if value.lower().startswith("mailto:") else absolute(value, base) or None
        return value

    return nh3.clean(
        text,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=filtered,
        url_schemes=_SCHEMES,
        link_rel=_REL,
    )


def plain(text: str) -> str:
    """The words of a field, one paragraph a line; a field without markup stays as it is."""
    if not is_markup(text):
        return text
    reader = _Words()
    reader.feed(text)
    reader.close()
    lines = (re.sub(r"\s+", " ", line).strip() for line in "".join(reader.said).split("\n"))
    return "\n".join(line for line in lines if line)


def images_of(content: Mapping[str, str], *, base: str) -> list[str]:
    """Addresses of the images that occur in ``content``, each once, in their order; at most ``IMAGES_MOST``."""
    found: dict[str, None] = {}
    for text in content.values():
        for source in _sources(text):
            address = absolute(source, base)
            if address:
                found.setdefault(address)
    return list(found)[:IMAGES_MOST]


def absolute(address: str, base: str) -> str:
    """An http(s) address; "" for whatever else stands there."""
    try:
        whole = urljoin(base, address.strip())
        parts = urlsplit(whole)
    except ValueError:
        return ""
    return whole if parts.scheme in {"http", "https"} and parts.netloc else ""


def is_image(address: str) -> bool:
    """Whether an address ends as an image's does; what is there is seen when it is fetched."""
    return _IMAGE_NAME.search(urlsplit(address).path) is not None


def _sources(text: str) -> list[str]:
    if is_markup(text):
        reader = _Words()
        reader.feed(text)
        return reader.images
    parts = text.strip().split()
    if len(parts) == 1 and parts[0].startswith(("http://", "https://")):
        return parts if is_image(parts[0].partition("#")[0]) else []
    return []


class _Words(HTMLParser):
    """The text of HTML with a line a block, and the sources of its images."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: list[str] = []
        self.images: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self._silent += 1
        if tag in _BLOCKS:
            self.said.append("\n")
        if tag == "img":
            self.images += [value for name, value in attrs if name == "src" and value]

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT and self._silent:
            self._silent -= 1
        if tag in _BLOCKS:
            self.said.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.said.append(data.replace("\n", " "))
