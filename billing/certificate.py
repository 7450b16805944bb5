"""What a month is closed on, as JSON: gates, totals, rows, and the heads of both chains. Amounts are decimal text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, Sum

from billing.gates import Gate
from billing.models import Books, CostEntry, EntryKind, UnitEntry
from once_delivery.accounts.models import Project
from once_delivery.common.canonical import fingerprint

VERSION = 1


def figures_of(project: Project, month: date) -> dict[str, Any]:
    """Sums and rows of what was posted in the month; of a closed one they never change."""
    entries = CostEntry.objects.filter(project=project, posted_period=month)
    units = UnitEntry.objects.filter(project=project, posted_period=month)
    cost = ~Q(kind=EntryKind.FX_DIFF)
    summed = entries.aggregate(
        cost=Sum("amount", filter=cost),
        corrections=Sum("amount", filter=cost & Q(correction=True)),
        fx_diff=Sum("amount", filter=~cost),
        tax_memo=Sum("tax_memo"),
        rows=Count("pk"),
    )
    counted = units.aggregate(
        units=Sum("sign"), corrections=Sum("sign", filter=Q(correction=True)), rows=Count("pk")
    )
    by = {
        f"by_{column}": {
            key: _text(total)
            for key, total in entries.filter(cost)
            .values_list(column)
            .annotate(Sum("amount"))
            .order_by(column)
        }
        for column in ("bucket", "sub_bucket", "bearer", "cause", "grade")
    }
    return {
        "cost": _text(summed["cost"]),
        "corrections": _text(summed["corrections"]),
        "fx_diff": _text(summed["fx_diff"]),
        "tax_memo": _text(summed["tax_memo"]),
        **by,
        "units": counted["units"] or 0,
        "unit_corrections": counted["corrections"] or 0,
        "cost_rows": summed["rows"],
        "unit_rows": counted["rows"],
    }


def heads_of(project: Project) -> dict[str, Any]:
    """The last number and hash of both chains."""
    return {
        name: (
            model.objects.filter(project=project).order_by("-seq").values("seq", "hash").first()
            or {"seq": 0, "hash": ""}
        )
        for name, model in (("costs", CostEntry), ("units", UnitEntry))
    }


def certificate_of(
    project: Project, month: date, gates: Sequence[Gate], *, by: str, at: str
) -> dict[str, Any]:
    """The certificate of a close by ``by`` at ``at``."""
    books = Books.objects.get(project=project)
    return {
        "version": VERSION,
        "project": project.code,
        "month": f"{month:%Y-%m}",
        "currency": books.currency,
        "quantum": _text(books.quantum),
        "gates": [{"code": gate.code, "passed": gate.passed, "n": _text(gate.n)} for gate in gates],
        "posted": figures_of(project, month),
        "heads": heads_of(project),
        "closed_by": by,
        "closed_at": at,
    }


def hash_of(certificate: dict[str, Any]) -> str:
    """SHA-256 of the certificate in its canonical form (RFC 8785)."""
    return fingerprint(certificate)


def _text(amount: Decimal | None) -> str:
    return f"{(amount or Decimal(0)):f}"
