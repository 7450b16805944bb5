"""What people did with a case, the newest first, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from once_delivery.accounts.models import User
from once_delivery.common.moments import moment_of
from once_delivery.ui.templatetags.ui import person
from once_delivery.web.case_wording import EVENT_ICONS, decision_word
from reconciliation.models import Case, CaseEvent, CaseEventKind

MOST = 100


@dataclass(frozen=True, slots=True)
class Done:
    """One thing that was done."""

    event: CaseEvent
    what: str
    icon: str
    tone: str

    @property
    def who(self) -> str:
        return person(self.event.user) if self.event.user else _("the program")


@dataclass(frozen=True, slots=True)
class CaseHistory:
    """The newest things that were done; ``seen`` is the ID of the last one."""

    done: Sequence[Done]
    more: bool

    @property
    def seen(self) -> int:
        return self.done[0].event.pk if self.done else 0

    def latest(self, kind: CaseEventKind) -> CaseEvent | None:
        return next((one.event for one in self.done if one.event.kind == kind), None)


def history_of(case: Case) -> CaseHistory:
    """In two queries."""
    events = list(case.events.select_related("user").order_by("-pk")[: MOST + 1])
    return CaseHistory(_in_words(events[:MOST]), more=len(events) > MOST)


def done_since(case: Case, seen: int) -> list[Done]:
    """What was done after the event that a person's page showed last."""
    return list(_in_words(case.events.filter(pk__gt=seen).select_related("user").order_by("-pk")[:MOST]))


def _in_words(events: Iterable[CaseEvent]) -> list[Done]:
    listed = list(events)
    ids = {event.data.get("to") for event in listed} - {None}
    names = {user.pk: person(user) for user in User.objects.filter(pk__in=ids)} if ids else {}
    return [Done(event, _what(event, names), *EVENT_ICONS.get(event.kind, ("warn", ""))) for event in listed]


def _what(event: CaseEvent, names: Mapping[int, str]) -> str:
    data: dict[str, Any] = event.data
    match event.kind:
        case CaseEventKind.HANDED:
            return _("handed over to %(name)s") % {"name": names.get(data.get("to", 0), "–")}
        case CaseEventKind.SNOOZED:
            return _("put off until %(time)s") % {"time": _time(data.get("until"))}
        case CaseEventKind.DECIDED:
            word = decision_word(str(data.get("decision", "")))
            shown = f" · {data['result_id']}" if data.get("result_id") else ""
            return _("decided: %(decision)s") % {"decision": f"{word}{shown}"}
        case CaseEventKind.ASKED:
            return _("proposed: %(decision)s") % {"decision": decision_word(str(data.get("decision", "")))}
        case CaseEventKind.TOLD:
            return _("announced: %(percent)s %% of the time is over") % {"percent": data.get("percent", "")}
        case _:
            return str(event.get_kind_display())


def _time(value: Any) -> str:
    found = moment_of(value)
    return f"{localtime(found):%Y-%m-%d %H:%M}" if found else "–"


def did_already(
    case: Case, user: User, *, seen: int, kind: CaseEventKind, words: str, data: Mapping[str, Any]
) -> bool:
    """The same person has done exactly this since their page was made: a double click, or a form sent again."""
    own = case.events.filter(pk__gt=seen, user=user, kind=kind)
    return any(
        event.text == words.strip()[:4000]
        and all(event.data.get(name) == value for name, value in data.items())
        for event in own
    )
