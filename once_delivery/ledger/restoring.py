"""What a restore from a backup means for actions: sent perhaps, without the ledger knowing (DESIGN section 10).

The rule stands in sql/restorations.sql (``once_awaits_look``, ``once_look_first``): no sender takes such an action before
somebody has looked. Here is what the decisions of resume.py need to know of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import connection
from django.db.models import Max

from once_delivery.ledger.facts import Restored
from once_delivery.ledger.models import Restoration

RESTORED = "ledger-restored"
HELD = "restored-while-held"  # it waited for a person, and is sent by a person's word alone
# an event under one of these since the restoration was opened: from then on its evidence is of this ledger
LOOKED = frozenset({RESTORED, HELD, "absence-proven", "declared-absent"})

_OF_ACTIONS = """
SELECT a.id, min(r.since), max(r.opened_at), once_awaits_look(a.id, a.created_at), coalesce(bool_or(e.reason = %(held)s), false)
FROM ledger_action a
JOIN ledger_restoration r ON r.ended_at IS NULL OR a.created_at <= r.ended_at
LEFT JOIN LATERAL (
    SELECT e.reason FROM ledger_event e
    WHERE e.action_id = a.id AND e.at >= r.opened_at AND e.reason IN (%(held)s, %(restored)s)
    ORDER BY e.id DESC LIMIT 1
) e ON true
WHERE a.id = ANY(%(ids)s) AND a.state NOT IN ('confirmed', 'superseded', 'cancelled')
GROUP BY a.id
"""


def restored_of(action_ids: Iterable[int]) -> dict[int, Restored]:
    """By action, where a restore makes its evidence incomplete."""
    ids = list(action_ids)
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_OF_ACTIONS, {"ids": ids, "held": HELD, "restored": RESTORED})
        return {row[0]: Restored(*row[1:]) for row in cursor.fetchall()}


def ever_restored() -> bool:
    """Whether there is any restoration, ended or not."""
    return Restoration.objects.exists()


def open_restorations() -> list[Restoration]:
    """Those that nobody has ended, the oldest backup first."""
    return list(Restoration.objects.filter(ended_at__isnull=True).order_by("since"))


def latest_opened_at() -> datetime | None:
    """When the latest restoration was opened: what somebody agreed to before then, they agreed to in another ledger."""
    moment: datetime | None = Restoration.objects.aggregate(latest=Max("opened_at"))["latest"]
    return moment
