"""A rival acts at a chosen line: races that happen every time.

``run_before`` and ``run_after`` replace a function, named as for ``monkeypatch``, by one that lets the rival act
once and then does (or has done) what it always does.
"""

from __future__ import annotations

from collections.abc import Callable
from pkgutil import resolve_name
from threading import Thread
from typing import Any

import pytest
from django.db import connection

Rival = Callable[[], object]


def run_before(monkeypatch: pytest.MonkeyPatch, place: str, rival: Rival) -> None:
    """``rival`` acts when ``place`` is called the next time, before its body runs."""
    _replace(monkeypatch, place, before=rival, after=None)


def run_after(monkeypatch: pytest.MonkeyPatch, place: str, rival: Rival) -> None:
    """``rival`` acts when ``place`` is called the next time, after its body ran."""
    _replace(monkeypatch, place, before=None, after=rival)


def elsewhere(work: Rival) -> Rival:
    """``work`` on another connection to the database, as another process would do it."""

    def act() -> None:
        failures: list[BaseException] = []

        def body() -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001 - handed to the test's own thread
                failures.append(error)
            finally:
                connection.close()

        thread = Thread(target=body)
        thread.start()
        thread.join(timeout=30)
        assert not thread.is_alive(), "the rival waits for a lock that the test's own thread holds"
        if failures:
            raise failures[0]

    return act


def _replace(
    monkeypatch: pytest.MonkeyPatch, place: str, *, before: Rival | None, after: Rival | None
) -> None:
    original = resolve_name(place)
    waiting = [True]

    def stand_in(*args: Any, **kwargs: Any) -> Any:
        first, waiting[:] = bool(waiting), []
        if first and before is not None:
            before()
        result = original(*args, **kwargs)
        if first and after is not None:
            after()
        return result

    monkeypatch.setattr(place, stand_in)
