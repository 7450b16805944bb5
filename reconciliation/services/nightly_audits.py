"""Each live target is audited by night, one at a time, while nothing else is at work."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db.models import Exists, OuterRef

from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action, Run, RunStatus
from once_delivery.ledger.night import night_of
from once_delivery.ledger.states import State
from once_delivery.targets.models import Errand, ErrandKind, Target
from once_delivery.targets.services.errands import OPEN, ask_errand


def next_nightly_audit(*, now: datetime | None = None) -> int | None:
    """The ID of an audit that is asked for now; None by day, when the night has done its work, or while something runs."""
    begun = night_of(now or database_now())
    if begun is None or not settings.NIGHTLY_AUDITS or _something_runs():
        return None
    asked = Errand.objects.filter(target=OuterRef("pk"), kind=ErrandKind.AUDIT, asked_at__gte=begun)
    holds = Action.objects.filter(target=OuterRef("pk"), state=State.CONFIRMED)
    due = Target.objects.filter(is_test=False).filter(~Exists(asked), Exists(holds)).order_by("pk").first()
    if due is None:
        return None
    errand, new = ask_errand(target=due, kind=ErrandKind.AUDIT, user=None, options={"by_night": True})
    return errand.pk if new else None


def _something_runs() -> bool:
    return (
        Errand.objects.filter(status__in=OPEN).exists()
        or Run.objects.filter(status=RunStatus.RUNNING).exists()
    )
