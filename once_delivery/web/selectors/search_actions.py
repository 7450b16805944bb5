"""Actions by what their targets call them, by their marker, by their title. Every look-up goes by an index."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection, transaction
from django.db.models import QuerySet
from django.urls import reverse

from once_delivery.accounts.models import Project
from once_delivery.ledger.models import Action, Title
from once_delivery.ledger.words import asked_words
from once_delivery.targets.models import Target
from once_delivery.web.selectors.found import MOST, Hit, identity_of
from once_delivery.web.wording import kind_word

READ_MOST = 4_000  # rows of the titles' index for one search: a word that all titles share ends there


def _actions(found: QuerySet[Action]) -> QuerySet[Action]:
    return found.select_related("project", "task__product", "target").only(
        "uuid", "state", "kind", "slot", "result_id", "marker", "project__name", "target__name",
        "task__uuid", "task__locale", "task__purpose", "task__product__name", "task__product__code",
    )  # fmt: skip


def by_result(projects: Sequence[Project], query: str) -> list[Hit]:
    """Result IDs that are or begin so."""
    found = Action.objects.filter(project__in=projects, result_id__startswith=query).exclude(result_id="")
    exact = list(_actions(found.filter(result_id=query))[: MOST + 1])
    others = list(_actions(found.exclude(result_id=query))[: MOST + 1])
    return [
        _action_hit(one, name=one.result_id, exact=one.result_id == query, is_id=True)
        for one in (*exact, *others)
    ]


def by_marker(projects: Sequence[Project], query: str) -> list[Hit]:
    """The marker is unique at a target; its index begins with the target."""
    if not query.startswith("once-"):
        return []
    targets = list(Target.objects.filter(project__in=projects).values_list("pk", flat=True))
    found = _actions(Action.objects.filter(target__in=targets, marker=query))
    return [_action_hit(one, name=one.marker, exact=True, is_id=True) for one in found[: MOST + 1]]


def by_title(projects: Sequence[Project], query: str) -> list[Hit]:
    """By words of the draft's title."""
    asked = asked_words(query)
    if not asked:
        return []
    either = " | ".join(
        "(" + " & ".join(_lexeme(f"{project.pk}:{word}", begins=begins) for word, begins in asked) + ")"
        for project in projects
    )
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('gin_fuzzy_search_limit', %s, true)", [str(READ_MOST)])
        cursor.execute(
            "SELECT action_id FROM ledger_title WHERE words @@ %s::tsquery LIMIT %s", [either, MOST + 1]
        )
        ids = [row[0] for row in cursor.fetchall()]
    texts = dict(Title.objects.filter(pk__in=ids).values_list("pk", "text"))
    actions = _actions(Action.objects.filter(pk__in=ids, project__in=projects)).order_by("-pk")
    return [
        _action_hit(one, name=texts[one.pk], exact=texts[one.pk].casefold() == query.casefold())
        for one in actions
    ]


def _lexeme(word: str, *, begins: bool) -> str:
    quoted = word.replace("\\", "\\\\").replace("'", "''")
    return f"'{quoted}'" + (":*" if begins else "")


def _action_hit(action: Action, *, name: str, exact: bool, is_id: bool = False) -> Hit:
    return Hit(
        url=f"{reverse('web:task', args=[action.task.uuid])}#action-{action.uuid}",
        name=name,
        about=f"{identity_of(action.task)} · {kind_word(action.kind)} · {action.target.name}",
        project=action.project.name,
        state=action.state,
        exact=exact,
        is_id=is_id,
    )
