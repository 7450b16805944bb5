"""Beside which field a problem belongs, and what to say there in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from once_delivery.common.errors import Problem
from once_delivery.web.target_form.field import Field

# by the rule of the schema that is not kept
RULES: dict[str, str | Promise] = {
    "required": _("This is needed."),
    "type": _("This is not of the right kind: a number, yes or no, or a text was expected."),
    "pattern": _("This is not written as it must be."),
    "enum": _("This is none of the choices."),
    "const": _("This does not fit the guard."),
    "minimum": _("At least %(limit)s."),
    "exclusiveMinimum": _("More than %(limit)s."),
    "maximum": _("At most %(limit)s."),
    "minLength": _("This may not be empty."),
    "maxLength": _("At most %(limit)s characters."),
    "not": _("This name is ours or the system's own; choose another one."),
    "additionalProperties": _("There is no parameter of this name."),
    "propertyNames": _("A name in it is not allowed."),
}
_OTHER = _("This does not fit.")


def sentence(problem: Problem) -> str:
    """What is wrong."""
    if problem.code != "schema":
        return problem.message
    rule = str(problem.params.get("rule", ""))
    return str(RULES.get(rule, _OTHER)) % {"limit": problem.params.get("limit", "")}


def place(problems: Iterable[Problem], fields: Iterable[Field]) -> list[str]:
    """Put each problem beside its field; returns the sentences of those that belong to none."""
    by_pointer = {one.pointer: one for one in fields}
    rest = []
    for problem in problems:
        pointer = str(problem.params.get("field") or problem.pointer or "")
        found = by_pointer.get(pointer)
        while found is None and pointer.count("/") > 1:  # inside a field of lines
            pointer = pointer.rpartition("/")[0]
            found = by_pointer.get(pointer)
        if found is None:
            where = str(problem.params.get("field") or problem.pointer or "")
            known = where and where != "/" and problem.code == "schema"
            rest.append(f"{where}: {sentence(problem)}" if known else sentence(problem))
        elif sentence(problem) not in found.errors:
            found.errors.append(sentence(problem))
    return rest
