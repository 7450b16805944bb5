"""Store what a target lists, a chunk at a time, with the place where the list can go on."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from django.db import transaction

from once_delivery.common.redact import storable
from once_delivery.ledger.models import Action
from once_delivery.targets.base import Connector, FoundObject, InventoryError, Kind
from once_delivery.targets.models import Target
from reconciliation.models import Audit, AuditedObject

logger = logging.getLogger(__name__)

CHUNK = 1000
PLACE_LONGEST = 2000
CANNOT_GO_ON = "cannot-go-on"


def kinds_of(target: Target) -> list[Kind]:
    """The kinds of which the ledger knows something at this target; updates are of drafts."""
    known = set(Action.objects.filter(target=target).values_list("kind", flat=True).distinct())
    return [kind for kind in Kind if kind in known and kind != Kind.UPDATE_DRAFT] or [Kind.CREATE_DRAFT]


def read_all(audit: Audit, connector: Connector, kinds: Iterable[Kind], deadline_s: float) -> str:
    """Store the list of each kind that was not read to its end yet; returns why it was cut short, or nothing.

    Every chunk is committed with the place behind it, so that another call goes on from there.
    """
    for kind in kinds:
        if _noted(audit, kind).get("done"):
            continue
        code = _read(audit, connector, kind, deadline_s, after=_noted(audit, kind).get("place", ""))
        if code == CANNOT_GO_ON and _noted(audit, kind):
            _forget(audit, kind)
            code = _read(audit, connector, kind, deadline_s, after="")
        if code:
            return code
    return ""


def can_go_on(audit: Audit) -> bool:
    """Whether something was read that another call need not read again."""
    return any(noted.get("done") or noted.get("place") for noted in audit.progress.values())


def _read(audit: Audit, connector: Connector, kind: Kind, deadline_s: float, *, after: str) -> str:
    found = _listed(audit, connector, kind, deadline_s, after)
    while True:
        try:
            chunk = list(islice(found, CHUNK))
        except InventoryError as error:
            return error.code[:60] or "cut"
        except Exception:  # a fault in a connector tells nothing about the target
            logger.exception("connector failed", extra={"target": audit.target_id})
            return "connector-error"
        if not chunk:
            break
        _store(audit, kind, chunk)
    _note(audit, kind, done=True)
    return ""


def _listed(
    audit: Audit, connector: Connector, kind: Kind, deadline_s: float, after: str
) -> Iterator[FoundObject]:
    yield from connector.inventory(
        kind=kind, deadline_s=deadline_s, changed_since=audit.changed_since, after=after
    )


def _store(audit: Audit, kind: Kind, chunk: list[FoundObject]) -> None:
    with transaction.atomic():
        AuditedObject.objects.bulk_create(
            [
                AuditedObject(
                    audit=audit,
                    kind=kind,
                    result_id=storable(one.result_id)[:300],
                    marker=storable(one.marker or "")[:300],
                    status=storable(one.status)[:60],
                    title=storable(one.title)[:500],
                    url=storable(one.url)[:1000],
                    version=storable(one.version)[:200],
                    trashed=one.trashed,
                )
                for one in chunk
            ],
            ignore_conflicts=True,
        )
        _note(audit, kind, place=_place(chunk[-1]))


def _place(one: FoundObject) -> str:
    """Where the list can go on; nothing where that cannot be kept as it is: the next one begins anew."""
    keeps = len(one.place) <= PLACE_LONGEST and storable(one.place) == one.place
    return one.place if keeps else ""


def _noted(audit: Audit, kind: Kind) -> dict[str, Any]:
    return dict(audit.progress.get(str(kind), {}))


def _note(audit: Audit, kind: Kind, **values: Any) -> None:
    audit.progress[str(kind)] = {**_noted(audit, kind), **values}
    audit.save(update_fields=["progress"])


def _forget(audit: Audit, kind: Kind) -> None:
    """The target cannot go on in the middle: its list begins anew."""
    with transaction.atomic():
        AuditedObject.objects.filter(audit=audit, kind=kind).delete()
        audit.progress.pop(str(kind), None)
        audit.save(update_fields=["progress"])
