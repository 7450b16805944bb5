"""What a request says of its own charset, before Django reads it.

Django takes whatever codec Python knows by that name, and reads the address with it before any of its own handling of
errors: with ``hex`` or ``idna`` each request would end in the server's bare 500. Forms and JSON are UTF-8 here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_UTF8 = frozenset({"utf-8", '"utf-8"'})


class PlainCharset:
    """A WSGI application behind which every Content-Type is harmless to read."""

    def __init__(self, inside: WSGIApplication) -> None:
        self._inside = inside

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if ";" in environ.get("CONTENT_TYPE", ""):
            environ["CONTENT_TYPE"] = plain_content_type(environ["CONTENT_TYPE"])
        return self._inside(environ, start_response)


def plain_content_type(given: str) -> str:
    """``given`` without any charset but UTF-8, and without parameters that bring a charset of their own (RFC 2231).

    Cut at every ``;``, the quoted ones too: a parameter begins at one of them, however Django reads the quotes.
    """
    kind, *rest = given.split(";")
    return ";".join([kind, *(part for part in rest if _is_plain(part))])


def _is_plain(part: str) -> bool:
    name, _, value = part.partition("=")
    if name.strip().lower() == "charset":
        return value.strip().lower() in _UTF8
    return "*" not in name
