"""Whether a target may be dialled at addresses inside this network: the operator's word goes before the target's row.

Any project's ops owner writes such rows. Everything that dials a target asks here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from urllib.parse import urlsplit

from django.conf import settings

SANDBOX = "ONCE_SANDBOX_URL"
# what a drill has opened for itself; in the environment, since its processes are several
DRILLS = "ONCE_DRILL_PLACES"
_CHANGING = Lock()


def may_go_inside(base_url: str, *, allow_inside: bool) -> bool:
    """Whether both say so: the target's row, and the operator's ``ONCE_TARGETS_INSIDE``.

    The operator's sandbox and what a drill has opened for itself may always be dialled.
    """
    return allow_inside and (settings.TARGETS_MAY_GO_INSIDE or _place(base_url) in _own_places())


@contextmanager
def own_place(url: str) -> Iterator[None]:
    """Inside the block ``url`` is a place of a drill's own, for this process and those that it starts."""
    _change(lambda places: places.append(url))
    try:
        yield
    finally:
        _change(lambda places: places.remove(url))


def _change(change: Callable[[list[str]], None]) -> None:
    with _CHANGING:  # several drills may be under way in this process
        places = os.environ.get(DRILLS, "").split()
        change(places)
        os.environ[DRILLS] = " ".join(places)


def _own_places() -> frozenset[tuple[str, str]]:
    named = [os.environ.get(SANDBOX, ""), *os.environ.get(DRILLS, "").split()]
    return frozenset(_place(one) for one in named if one)


def _place(url: str) -> tuple[str, str]:
    """What stands before the path; a name that merely begins like another one is another place."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return "", ""
    return parts.scheme, parts.netloc.casefold()
