"""Which batches are to be seen, as the address says it; and what can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import RawSQL
from django.http import QueryDict

from once_delivery.accounts.access import projects_of
from once_delivery.accounts.models import Project, User
from once_delivery.ledger.models import Batch, BatchTask, Task
from once_delivery.ledger.states import State
from once_delivery.web.selectors.states import TROUBLE, URGENT_FIRST
from once_delivery.web.services.saved_views import filters_of

LONGEST = 200
LOOKED_AT = 2_000  # tasks, the newest
LOOKED_AT_OF_ONE = 1_000  # tasks of one batch, the first
SUGGESTED = 200  # products and locales that are offered; others can be typed


@dataclass(frozen=True, slots=True)
class BatchFilter:
    """Empty means: all of them."""

    trouble: bool = False
    project: str = ""
    product: str = ""
    locale: str = ""
    state: str = ""
    text: str = ""

    @property
    def narrowed(self) -> bool:
        return bool(self.project or self.product or self.locale or self.state or self.text or self.trouble)

    @property
    def query(self) -> str:
        """The address that says the same."""
        return filters_of("batches", self._asked().urlencode())

    def _asked(self) -> QueryDict:
        asked = QueryDict(mutable=True)
        asked.update(
            {
                "view": "trouble" if self.trouble else "",
                "project": self.project,
                "product": self.product,
                "locale": self.locale,
                "state": self.state,
                "q": self.text,
            }
        )
        return asked

    def within(self, found: QuerySet[Batch], user: User) -> QuerySet[Batch]:
        """Those of ``found`` that fit."""
        if self.project:
            found = found.filter(project__code=self.project)
        if self.text:
            found = found.filter(Q(name__icontains=self.text) | Q(source_name__icontains=self.text))
        if self.trouble:
            found = found.filter(pk__in=in_trouble(user))
        references = BatchTask.objects.filter(batch=OuterRef("pk"))
        if self.product or self.locale:
            found = found.filter(Exists(references.filter(self._of_task())))
        if self.state in TROUBLE:
            found = found.filter(pk__in=in_states(user, (self.state,)))
        elif self.state:
            found = found.filter(Exists(references.filter(task__actions__state=self.state)))
        return found

    def _of_task(self) -> Q:
        wanted = Q()
        if self.product:
            wanted &= Q(task__product__code=self.product)
        if self.locale:
            wanted &= Q(task__locale=self.locale)
        return wanted


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be chosen."""

    projects: Sequence[Project]
    products: Sequence[tuple[str, str]]
    locales: Sequence[str]

    @property
    def states(self) -> list[tuple[str, str]]:
        return [(str(state), str(state.label)) for state in URGENT_FIRST]


def batch_filter(asked: QueryDict) -> BatchFilter:
    """The filter of an address; what is none of its values is left out."""
    state = asked.get("state", "")
    return BatchFilter(
        trouble=asked.get("view") == "trouble",
        project=_text(asked, "project"),
        product=_text(asked, "product"),
        locale=_text(asked, "locale"),
        state=state if state in State.values else "",
        text=_text(asked, "q"),
    )


def choices_of(user: User) -> Choices:
    """The person's projects, and the products of these that were used last."""
    projects = list(projects_of(user).order_by("name"))
    newest = (
        Task.objects.filter(project__in=projects)
        .order_by("-pk")
        .values_list("product__code", "product__name", "locale")[:LOOKED_AT]
    )
    rows = sorted(set(newest))
    return Choices(
        projects=projects,
        products=list(dict.fromkeys((code, name) for code, name, _locale in rows))[:SUGGESTED],
        locales=sorted({locale for _code, _name, locale in rows})[:SUGGESTED],
    )


def choices_of_batch(batch: Batch) -> Choices:
    """The products and locales of one batch: of its first tasks, when there are more."""
    first = (
        BatchTask.objects.filter(batch=batch).order_by("task_id").values_list("task_id")[:LOOKED_AT_OF_ONE]
    )
    rows = sorted(
        set(Task.objects.filter(pk__in=first).values_list("product__code", "product__name", "locale"))
    )
    return Choices(
        projects=(),
        products=list(dict.fromkeys((code, name) for code, name, _locale in rows))[:SUGGESTED],
        locales=sorted({locale for _code, _name, locale in rows})[:SUGGESTED],
    )


# by the indexes alone
_WITH_STATES = """
SELECT r.batch_id FROM ledger_action a JOIN ledger_batchtask r ON r.task_id = a.task_id
WHERE a.state <> 'confirmed' AND a.state = ANY(%(states)s) AND a.project_id = ANY(%(projects)s)
"""
_FOR_PERSONS = """
SELECT r.batch_id FROM ledger_action a JOIN ledger_batchtask r ON r.task_id = a.task_id
WHERE a.next_step = 'person' AND a.state = ANY(%(not_yet)s) AND a.project_id = ANY(%(projects)s)
"""
_NOT_YET = [str(State.PLANNED), str(State.ACCEPTED), str(State.SENDING)]


def in_trouble(user: User) -> RawSQL:
    """IDs of batches with an action that is uncertain, refused, or waits for a person."""
    return _found(user, f"{_WITH_STATES} UNION {_FOR_PERSONS}", sorted(TROUBLE))


def without_drills(found: QuerySet[Batch]) -> QuerySet[Batch]:
    """Without those that a drill made: it leaves on purpose what a person must decide, and nobody's delivery stands
    still for it. Its first action tells and its last: a drill's batches have fixed names, and somebody's own deliveries
    may have come before it under the same name, or after it."""
    tasks = BatchTask.objects.filter(batch=OuterRef("pk"))
    first, last = (
        Subquery(tasks.order_by(order).values("task__actions__target__of_drill")[:1])
        for order in ("task_id", "-task_id")
    )
    return found.alias(first=first, last=last).exclude(first=True, last=True)


def in_states(user: User, states: Sequence[str]) -> RawSQL:
    """IDs of batches with an action in one of ``states``, none of which may be "confirmed"."""
    return _found(user, f"{_WITH_STATES} GROUP BY r.batch_id", list(states))


def _found(user: User, sql: str, states: list[str]) -> RawSQL:
    """In the person's projects alone (R14). Read here and now: a list and its count would each read it again."""
    mine = list(projects_of(user).values_list("pk", flat=True))
    with connection.cursor() as cursor:
        cursor.execute(sql, {"states": states, "projects": mine, "not_yet": _NOT_YET})
        ids = [pk for (pk,) in cursor.fetchall()]
    return RawSQL("SELECT unnest(%s::bigint[])", [ids])


def _text(asked: QueryDict, name: str) -> str:
    return " ".join(asked.get(name, "").replace("\x00", "").split())[:LONGEST]
