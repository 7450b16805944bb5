"""Products, batches, runs, cases and tasks by their names and IDs."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q
from django.urls import reverse

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Batch, Product, Run, Task
from once_delivery.web.selectors.found import MOST, Hit, identity_of
from once_delivery.web.selectors.uuids import uuid_range
from reconciliation.models import Case


def products(projects: Sequence[Project], query: str) -> list[Hit]:
    """A product leads to its newest task."""
    alike = Q(code__istartswith=query) | Q(name__icontains=query)
    found = list(Product.objects.filter(alike, project__in=projects).select_related("project")[: MOST + 1])
    newest = dict(
        Task.objects.filter(product__in=found)
        .order_by("product_id", "-pk")
        .distinct("product_id")
        .values_list("product_id", "uuid")
    )
    folded = query.casefold()
    return [
        Hit(
            url=reverse("web:task", args=[newest[one.pk]]),
            name=one.name,
            about=one.code,
            project=one.project.name,
            exact=folded in {one.code.casefold(), one.name.casefold()},
        )
        for one in found
        if one.pk in newest
    ]


def batches(projects: Sequence[Project], query: str) -> list[Hit]:
    """By name, file or ID."""
    alike = Q(name__icontains=query) | Q(source_name__icontains=query)
    ids = uuid_range(query)
    if ids is not None:
        alike |= Q(uuid__range=ids)
    found = Batch.objects.filter(alike, project__in=projects).select_related("project").order_by("-pk")
    return [
        Hit(
            url=reverse("web:batch", args=[one.uuid]),
            name=one.name,
            about=one.source_name,
            project=one.project.name,
            exact=one.name.casefold() == query.casefold(),
        )
        for one in found[: MOST + 1]
    ]


def runs(projects: Sequence[Project], query: str) -> list[Hit]:
    """A run leads to its batch, or to a task that it touched."""
    found = (
        Run.objects.filter(project__in=projects, external_id__startswith=query)
        .exclude(external_id="")
        .select_related("project", "batch")
    )
    runs = list(found.order_by("-pk")[: MOST + 1])
    touched = dict(
        Run.objects.filter(pk__in=[one.pk for one in runs if one.batch is None], attempts__isnull=False)
        .order_by("pk", "-attempts__pk")
        .distinct("pk")
        .values_list("pk", "attempts__action__task__uuid")
    )
    return [
        Hit(
            url,
            one.external_id,
            one.get_kind_display(),
            one.project.name,
            exact=one.external_id == query,
            is_id=True,
        )
        for one in runs
        if (url := _run_url(one, touched))
    ]


def _run_url(run: Run, touched: dict[int, UUID]) -> str:
    if run.batch is not None:
        return reverse("web:batch", args=[run.batch.uuid])
    return reverse("web:task", args=[touched[run.pk]]) if run.pk in touched else ""


def cases(projects: Sequence[Project], query: str) -> list[Hit]:
    """By their ID."""
    ids = uuid_range(query)
    if ids is None:
        return []
    found = Case.objects.filter(project__in=projects, uuid__range=ids).select_related(
        "project", "action__task__product"
    )
    return [
        Hit(
            url=reverse("web:case", args=[one.uuid]),
            name=str(one.uuid),
            about=identity_of(one.action.task),
            project=one.project.name,
            exact=str(one.uuid) == query.casefold(),
            is_id=True,
        )
        for one in found.defer("action__payload")[: MOST + 1]
    ]


def tasks(projects: Sequence[Project], query: str) -> list[Hit]:
    """By their ID."""
    ids = uuid_range(query)
    if ids is None:
        return []
    found = Task.objects.filter(project__in=projects, uuid__range=ids).select_related("project", "product")
    return [
        Hit(
            url=reverse("web:task", args=[one.uuid]),
            name=str(one.uuid),
            about=identity_of(one),
            project=one.project.name,
            exact=str(one.uuid) == query.casefold(),
            is_id=True,
        )
        for one in found[: MOST + 1]
    ]
