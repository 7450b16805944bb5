"""From the stored list of an audit to presences and findings, some thousand actions at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Value
from django.db.models.functions import Coalesce, NullIf

from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action
from once_delivery.ledger.services.record_presence import count_now, look_now, record_presence
from once_delivery.ledger.states import OPEN_QUESTIONS, State
from once_delivery.targets.base import Kind, Presence
from reconciliation.comparing import Compared, Expected, Held, compare
from reconciliation.models import Audit, AuditedObject, Finding, FindingKind

AT_ONCE = 5000
_FINDINGS = {
    Presence.DUPLICATE: FindingKind.DUPLICATE,
    Presence.MISSING: FindingKind.MISSING,
    Presence.TRASHED: FindingKind.TRASHED,
    Presence.CHANGED: FindingKind.CHANGED,
}
_OURS = "^once-[a-z2-7]{26}$"

# Ours by its marker, and the ledger knows nothing of it: a restored backup, or another installation. Drafts of a probe
# are the probe's to name and to remove.
_ORPHANS = """
INSERT INTO reconciliation_finding (uuid, project_id, target_id, action_id, audit_id, kind, marker, evidence, found_at)
SELECT gen_random_uuid(), %(project)s, %(target)s, NULL, %(audit)s, 'orphan', o.marker,
       jsonb_build_object('held', jsonb_agg(jsonb_build_object(
           'result_id', o.result_id, 'title', o.title, 'status', o.status, 'url', o.url) ORDER BY o.result_id)),
       clock_timestamp()
FROM reconciliation_auditedobject o
WHERE o.audit_id = %(audit)s AND o.marker ~ %(ours)s
  AND NOT EXISTS (SELECT 1 FROM ledger_action a WHERE a.target_id = %(target)s AND a.marker = o.marker)
  AND NOT EXISTS (SELECT 1 FROM targets_probemarker p WHERE p.marker = o.marker)
GROUP BY o.marker
ON CONFLICT DO NOTHING
"""
# A duplicate is over when a person has dealt with it and the target was counted again, not by a list.
_OVER = """
UPDATE reconciliation_finding f SET over_at = clock_timestamp()
WHERE f.target_id = %(target)s AND f.over_at IS NULL AND (
    (f.kind = 'orphan' AND NOT EXISTS (
        SELECT 1 FROM reconciliation_auditedobject o WHERE o.audit_id = %(audit)s AND o.marker = f.marker))
    OR (f.kind <> 'orphan' AND EXISTS (
        SELECT 1 FROM ledger_action a
        WHERE a.id = f.action_id AND a.presence <> f.kind AND a.checked_at >= %(started)s)))
"""
_COUNTS = """
SELECT count(*), count(DISTINCT marker) FILTER (WHERE marker ~ %(ours)s), count(*) FILTER (WHERE marker !~ %(ours)s)
FROM reconciliation_auditedobject WHERE audit_id = %(audit)s
"""


def conclude(audit: Audit, kinds: Sequence[Kind], *, everything: bool) -> dict[str, Any]:
    """Afterwards each action that the list tells something of has its presence, and what is not right is a finding.

    ``everything``: the list was complete, so that what is not in it is missing, and findings that it does not show any
    more are over. Returns the counts.
    """
    seen: Counter[Presence] = Counter()
    for expected in _expected(audit, kinds):
        compared = _compared(audit, expected, everything=everything)
        record_presence([(one.action_id, one_is.presence) for one, one_is in compared if one_is.presence])
        count_now([one.action_id for one, one_is in compared if one_is.count_again])
        seen.update(one_is.presence for _, one_is in compared if one_is.presence)
        _find(audit, compared)
    _hasten(audit)
    _execute(_ORPHANS, audit)
    if everything:
        _execute(_OVER, audit)
    return _counts(audit, seen)


def _expected(audit: Audit, kinds: Sequence[Kind]) -> Iterator[list[Expected]]:
    """Confirmed actions, by their IDs. What was confirmed while the list was read may rightly not be in it."""
    newer = Action.objects.filter(original=OuterRef("pk"), state=State.CONFIRMED)
    rows = (
        Action.objects.filter(
            target_id=audit.target_id,
            state=State.CONFIRMED,
            confirmed_at__lt=audit.started_at,
            kind__in=[str(kind) for kind in kinds],
        )
        .annotate(carried=Coalesce(NullIf("object_marker", Value("")), "marker"), overtaken=Exists(newer))
        .order_by("pk")
        .values_list("pk", "kind", "result_id", "carried", "marker", "result_version", "overtaken")
    )
    last = 0
    while chunk := [Expected(*row) for row in rows.filter(pk__gt=last)[:AT_ONCE]]:
        yield chunk
        last = chunk[-1].action_id


def _compared(
    audit: Audit, expected: Sequence[Expected], *, everything: bool
) -> list[tuple[Expected, Compared]]:
    carrying: dict[str, list[Held]] = defaultdict(list)
    objects = AuditedObject.objects.filter(audit=audit)
    for held in objects.filter(marker__in={one.marker for one in expected}).order_by("result_id"):
        carrying[held.marker].append(_held(held))
    lost = [one.result_id for one in expected if one.marker not in carrying]
    by_id = {(held.kind, held.result_id): _held(held) for held in objects.filter(result_id__in=lost)}
    return [
        (
            one,
            compare(
                one,
                carrying=carrying.get(one.marker, ()),
                by_id=by_id.get((one.kind, one.result_id)),
                everything=everything,
            ),
        )
        for one in expected
    ]


def _held(row: AuditedObject) -> Held:
    return Held(row.result_id, row.marker, row.title, row.status, row.url, row.version, row.trashed)


def _find(audit: Audit, compared: Sequence[tuple[Expected, Compared]]) -> None:
    """What is not as it should be becomes a finding, once while it lasts; of several versions the newest tells it."""
    wrong = [
        (one, is_now, _FINDINGS[is_now.presence])
        for one, is_now in compared
        if is_now.presence in _FINDINGS and not one.overtaken
    ]
    now = database_now()
    Finding.objects.bulk_create(
        [
            Finding(
                project_id=audit.project_id,
                target_id=audit.target_id,
                action_id=one.action_id,
                audit=audit,
                kind=kind,
                marker=one.own_marker,
                evidence=is_now.evidence,
                found_at=now,
            )
            for one, is_now, kind in wrong
        ],
        ignore_conflicts=True,
    )


def _hasten(audit: Audit) -> None:
    """An open question whose object was seen: the look-up need not wait."""
    seen = AuditedObject.objects.filter(audit=audit, marker=OuterRef("marker"))
    markers = Action.objects.filter(target_id=audit.target_id, state__in=OPEN_QUESTIONS).filter(Exists(seen))
    look_now(target_id=audit.target_id, markers=list(markers.values_list("marker", flat=True)))


def _execute(sql: str, audit: Audit) -> tuple[int, ...]:
    parameters: dict[str, Any] = {
        "audit": audit.pk,
        "target": audit.target_id,
        "project": audit.project_id,
        "started": audit.started_at,
        "ours": _OURS,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return tuple(cursor.fetchone()) if cursor.description else ()


def _counts(audit: Audit, seen: Counter[Presence]) -> dict[str, Any]:
    objects, ours, strangers = _execute(_COUNTS, audit)
    findings = Finding.objects.filter(audit=audit).values_list("kind").annotate(many=Count("pk"))
    return {
        "objects": objects,
        "ours": ours,
        "strangers": strangers,
        "matched": seen[Presence.PRESENT],
        "findings": dict(findings.order_by("kind")),
    }
