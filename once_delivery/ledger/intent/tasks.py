"""Tasks: found by their identity or made."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from once_delivery.accounts.models import Project
from once_delivery.ledger.intent.canonical import TaskKey, Wanted
from once_delivery.ledger.intent.products import Found, VersionKey
from once_delivery.ledger.models import Task


@dataclass(frozen=True, slots=True)
class Kept:
    """Every task asked for by its key, and those that are new."""

    by_key: Mapping[TaskKey, Task]
    new: list[Task]


def ensure(*, project: Project, wanted: list[Wanted], found: Found) -> Kept:
    """Find or make the task of every delivery. Their products are held, so that nobody else makes one meanwhile."""
    keys = dict.fromkeys(one.key for one in wanted)
    known = _by_key({(key[0], key[3]) for key in keys} - found.new, found)
    new = {
        key: Task(
            project=project,
            product_id=found.versions[key[0], key[3]].product_id,
            locale=key[1],
            purpose=key[2],
            input_version=found.versions[key[0], key[3]],
        )
        for key in keys
        if key not in known
    }
    Task.objects.bulk_create(new.values(), batch_size=5000)
    return Kept(by_key=known | new, new=list(new.values()))


def _by_key(versions: Collection[VersionKey], found: Found) -> dict[TaskKey, Task]:
    """The tasks of these versions."""
    if not versions:
        return {}
    keys = {found.versions[key].pk: key for key in versions}
    rows = Task.objects.filter(input_version__in=list(keys))
    return {
        (code, row.locale, row.purpose, number): row
        for row in rows
        for code, number in [keys[row.input_version_id]]
    }
