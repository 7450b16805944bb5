"""What many tests of one module begin with, made once: each test runs in a savepoint within its transaction."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from copy import deepcopy
from types import ModuleType
from typing import Any, TypeVar

import pytest
from django.db import connection, transaction

World = TypeVar("World")


class SharedWorld:
    """At most one is there at a time: that of the module whose tests run."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._module: ModuleType | None = None
        self._world: Any = None
        self._blocker: Any = None

    def enter(self, module: ModuleType, make: Callable[[], World], blocker: Any) -> World:
        """A copy of the module's world; what a test changes in it, the next one does not see."""
        if module is not self._module:
            self.leave()
            if connection.in_atomic_block:  # the test's own transaction came first: all goes with it
                return make()
            self._blocker = blocker
            with blocker.unblock():
                self._stack.enter_context(transaction.atomic())
                self._world = make()
            self._module = module
        world: World = deepcopy(self._world)
        return world

    def leave(self) -> None:
        """Afterwards nothing is left of it in the database."""
        if self._module is not None:
            self._module, self._world = None, None
            stack, self._stack = self._stack, ExitStack()
            if not connection.in_atomic_block:  # the database went before it, at the end of the session
                stack.pop_all()
                return
            with self._blocker.unblock():
                transaction.set_rollback(True)
                stack.close()

    def make_way(self, item: pytest.Item) -> None:
        """Another module's tests, and those that commit, need a database without it."""
        if getattr(item, "module", None) is not self._module or commits(item):
            self.leave()


def commits(item: pytest.Item) -> bool:
    """Whether a test has transactions of its own instead of being undone."""
    marker = item.get_closest_marker("django_db")
    said = bool(marker and (marker.kwargs.get("transaction") or (marker.args and marker.args[0])))
    return said or not {"transactional_db", "live_server"}.isdisjoint(getattr(item, "fixturenames", ()))


SHARED = SharedWorld()
