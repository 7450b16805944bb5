"""Groups of duplicates: what pairs that are one join together is one deliverable, however they were decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db import connection

from billing.models import SAID_TO_BE_TWO, Duplicate, DuplicateStatus
from once_delivery.accounts.models import Project


def group_of(*asset_ids: int) -> set[int]:
    """Everything that is one deliverable with one of these, themselves included."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT billing_group_of(given) FROM unnest(%s::bigint[]) AS given", [list(asset_ids)])
        return {pk for (pk,) in cursor.fetchall()}


@dataclass(slots=True)
class Groups:
    """Every group of a project in one look, for pulls, which come to each pair that was ever decided."""

    _up: dict[int, int] = field(default_factory=dict)  # towards the one that stands for its group
    _two: set[tuple[int, int]] = field(default_factory=set)

    @classmethod
    def of(cls, project: Project) -> Groups:
        groups = cls()
        rows = Duplicate.objects.filter(
            project=project, status__in=(DuplicateStatus.DECIDED, *SAID_TO_BE_TWO)
        ).values_list("asset", "survivor", "status")
        for asset, survivor, status in rows:
            if status == DuplicateStatus.DECIDED:
                groups.join(asset, survivor)
            else:
                groups.part(asset, survivor)
        return groups

    def join(self, one: int, other: int) -> None:
        """They are one from now on."""
        self._up[self._top(one)] = self._top(other)

    def part(self, one: int, other: int) -> None:
        """They are said to be two."""
        self._two.add((one, other))

    def forget(self, one: int, other: int) -> None:
        """They are said to be two no more."""
        self._two -= {(one, other), (other, one)}

    def are_one(self, one: int, other: int) -> bool:
        return self._top(one) == self._top(other)

    def may_be_one(self, one: int, other: int) -> bool:
        """Whether nobody said of one of the first's group and one of the other's that they are two."""
        tops = {self._top(one), self._top(other)}
        return not any({self._top(a), self._top(b)} == tops for a, b in self._two)

    def each(self) -> Iterable[set[int]]:
        """Those of more than one."""
        members: Mapping[int, set[int]] = defaultdict(set)
        for pk in list(self._up):
            members[self._top(pk)] |= {pk, self._top(pk)}
        return members.values()

    def _top(self, pk: int) -> int:
        passed = []
        while (above := self._up.get(pk, pk)) != pk:
            passed.append(pk)
            pk = above
        for one in passed:
            self._up[one] = pk
        return pk
