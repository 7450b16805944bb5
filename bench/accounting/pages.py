"""The pages of finance on the large ledger: opened as `bench.web` opens the others."""

from __future__ import annotations

from urllib.parse import urlencode

from django.urls import reverse

from bench.web.pages import PageAt
from bench.web.visit import Visited, Visitors
from billing.models import CostEntry
from once_delivery.accounts.models import Membership, Project, Role, User

CALLS = 10
WHO = "bench-finance"


def visited(project: Project) -> list[Visited]:
    """Each page of the books, warm, as a member with finance's role."""
    user, _ = User.objects.get_or_create(username=WHO)
    Membership.objects.get_or_create(user=user, project=project, role=Role.FINANCE)
    visitors = Visitors()
    return [visitors.visit(page, calls=CALLS) for page in _pages(project)]


def _pages(project: Project) -> list[PageAt]:
    month = {"month": f"{CostEntry.objects.filter(project=project).latest('pk').posted_period:%Y-%m}"}

    def page(name: str, address: str, *more: str, **asked: str) -> PageAt:
        return PageAt(
            name, f"{reverse(f'web:{address}', args=[project.code, *more])}?{urlencode(asked)}", WHO
        )

    return [
        PageAt("home of finance", reverse("web:home"), WHO),
        page("report of a month", "finance", **month),
        page("report of a month, with its parts", "finance", parts="all", **month),
        page("report of a month, one product", "finance", product="P1", **month),
        page("report of a month, one locale", "finance", locale="de-DE", **month),
        page("report to date", "finance", month="all"),
        page("report to date, with its parts", "finance", month="all", parts="all"),
        page("assets of a month", "finance-assets", **month),
        page("entries of a month", "finance-entries", **month),
        page("entries to date", "finance-entries", month="all"),
        page("duplicates", "finance-duplicates"),
        page("months", "finance-periods"),
        page("a month", "finance-period", month["month"]),
        page("documents", "finance-documents"),
        page("table of the WIP bridge", "finance-table", "wip_bridge", month="all"),
    ]
