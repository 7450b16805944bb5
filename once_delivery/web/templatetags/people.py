"""Fields of forms that a service judges: label, what was typed, what is wrong beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext

from once_delivery.accounts.models import User
from once_delivery.ui.templatetags.ui import person
from once_delivery.web.forms import Answer
from once_delivery.web.selectors import notices

register = template.Library()


@register.inclusion_tag("web/_input.html")
def input_field(
    answer: Answer,
    name: str,
    label: str,
    *,
    kind: str = "text",
    hint: str = "",
    fill: str = "off",
    choices: str = "",
    unit: str = "",
    within: str = "",
) -> dict[str, Any]:
    """One line. ``fill``: the autocomplete token; ``choices``: the ID of a datalist; ``unit``: a word after it.

    ``within`` names the form, on a page where several have a field of that name.
    """
    return {
        "name": name,
        "mark": f"{within}-{name}" if within else name,
        "label": label,
        "kind": kind,
        "hint": hint,
        "fill": fill,
        "choices": choices,
        "unit": unit,
        "value": answer.typed.get(name, ""),
        "wrong": answer.fields.get(name, []),
    }


@register.filter
def typed(answer: Answer, name: str) -> str:
    """What a field holds."""
    return answer.typed.get(name, "")


@register.filter
def wrong(answer: Answer, name: str) -> list[str]:
    """What is wrong with a field."""
    return answer.fields.get(name, [])


@register.filter
def people_names(people: Iterable[User]) -> str:
    """Their names, one after the other."""
    return gettext(", ").join(person(one) for one in people)


@register.filter
def event_word(event: str) -> str:
    """What happened, in words."""
    return notices.event_word(event)


@register.filter
def weekdays(days: list[int]) -> str:
    """Days of a week in words: a run of them as ``Monday–Friday``, others one by one; 0 is Monday."""
    runs: list[list[int]] = []
    for day in sorted(days):
        if runs and day == runs[-1][-1] + 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    words = []
    for run in runs:
        names = [str(WEEKDAYS[day]) for day in run]
        words += [f"{names[0]}–{names[-1]}"] if len(run) > 2 else names  # noqa: PLR2004 - two are named both
    return gettext(", ").join(words)
