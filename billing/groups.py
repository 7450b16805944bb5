"""Groups of duplicates: what pairs that are one join together is one deliverable, however they were decided."""

from __future__ import annotations

from collections import defaultdict
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

    _group: dict[int, set[int]] = field(default_factory=dict)  # all of a group share one set
    _two: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))

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
        few, many = sorted((self._with(one), self._with(other)), key=len)
        many |= few
        self._group |= dict.fromkeys((*few, one, other), many)

    def part(self, one: int, other: int) -> None:
        """They are said to be two."""
        self._two[one].add(other)
        self._two[other].add(one)

    def forget(self, one: int, other: int) -> None:
        """They are said to be two no more."""
        self._two[one].discard(other)
        self._two[other].discard(one)

    def are_one(self, one: int, other: int) -> bool:
        return other in self._with(one)

    def may_be_one(self, one: int, other: int) -> bool:
        """Whether nobody said of one of the first's group and one of the other's that they are two."""
        few, many = sorted((self._with(one), self._with(other)), key=len)
        return all(self._two[pk].isdisjoint(many) for pk in few)

    def each(self) -> list[set[int]]:
        """Those of more than one."""
        return list({id(group): group for group in self._group.values() if len(group) > 1}.values())

    def _with(self, pk: int) -> set[int]:
        return self._group.get(pk, {pk})
