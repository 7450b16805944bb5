"""Let the terms that hold today decide how cases are handled."""

from __future__ import annotations

from decimal import ROUND_CEILING

from django.db import transaction

from billing.models import Books
from billing.months import day_at
from billing.terms_on import all_terms, terms_on
from once_delivery.accounts.models import Project
from once_delivery.accounts.services.agree import agree
from once_delivery.ledger.clock import database_now


def apply_terms(*, project: Project) -> bool:
    """Afterwards the time for a case, and what needs the client's approval, are those of today's version.

    A version is applied once, when it begins to hold: what the admin sets later stays until the next one. Returns
    whether one was applied now.
    """
    with transaction.atomic():
        books = Books.objects.select_for_update().filter(project=project).first()
        held = terms_on(all_terms(project.pk), day_at(project, database_now())) if books else None
        if books is None or held is None or books.agreed_terms == held.number:
            return False
        hours = max(1, int(held.resolution_hours.to_integral_value(ROUND_CEILING)))
        agree(project=project, case_hours=hours, needs_client=held.needs_approval)
        Books.objects.filter(pk=books.pk).update(agreed_terms=held.number)
    return True
