"""Who gets what at one address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from once_delivery.accounts.models import Role
from tests.web.conftest import World

SIGN_IN = 302
Args = Callable[[World], list[object]]


def nothing(_: World) -> list[object]:
    return []


@dataclass(frozen=True)
class Row:
    """``member`` is what every role gets that ``but`` does not name; ``stranger`` belongs to another tenant."""

    name: str
    args: Args = nothing
    method: str = "get"
    data: Callable[[World], Mapping[str, Any]] = field(default=lambda _: {})
    anonymous: int = SIGN_IN
    member: int = 200
    stranger: int = 404
    but: Mapping[Role, int] = field(default_factory=dict)
    confirmed: bool = False  # each has just shown who they are
    case: str = ""  # what tells it from another row of this name and method

    @property
    def key(self) -> str:
        return " ".join(filter(None, (self.name, self.method, "confirmed" * self.confirmed, self.case)))

    def expected(self, role: Role) -> int:
        return self.but.get(role, self.member)


def only(*roles: Role, status: int) -> dict[Role, int]:
    """These roles get ``status``."""
    return dict.fromkeys(roles, status)
