"""Tasks: found by their identity or made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from once_delivery.accounts.models import Project
from once_delivery.ledger.intent.canonical import TaskKey, Wanted
from once_delivery.ledger.models import InputVersion, Task


@dataclass(frozen=True, slots=True)
class Kept:
    """Every task asked for by its key, and those that are new."""

    by_key: Mapping[TaskKey, Task]
    new: list[Task]


def ensure(
    *, project: Project, wanted: list[Wanted], versions: Mapping[tuple[str, int], InputVersion]
) -> Kept:
    """Find or make the task of every delivery."""
    keys = dict.fromkeys(one.key for one in wanted)
    version_ids = {versions[key[0], key[3]].pk for key in keys}
    before = _by_key(project, version_ids)
    Task.objects.bulk_create(
        [
            Task(
                project=project,
                product_id=versions[key[0], key[3]].product_id,
                locale=key[1],
                purpose=key[2],
                input_version=versions[key[0], key[3]],
            )
            for key in keys
            if key not in before
        ],
        ignore_conflicts=True,  # another import may have made it a moment ago: it is read again below
        batch_size=5000,
    )
    after = _by_key(project, version_ids)
    return Kept(
        by_key={key: after[key] for key in keys},
        new=[task for key, task in after.items() if key not in before],
    )


def _by_key(project: Project, version_ids: set[int]) -> dict[TaskKey, Task]:
    rows = Task.objects.filter(project=project, input_version_id__in=version_ids).select_related(
        "product", "input_version"
    )
    return {(row.product.code, row.locale, row.purpose, row.input_version.number): row for row in rows}
