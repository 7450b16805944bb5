"""The capability profile as fields, each with the reason of the default for its number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from once_delivery.targets import schema
from once_delivery.targets.profile_words import CHOICES, LABELS
from once_delivery.web.target_form.field import Field, text_of, value_of


def profile_fields(numbers: Mapping[str, Any], why: Mapping[str, Any]) -> list[Field]:
    """In the order of ``LABELS``."""
    specs = schema.document("profile")["properties"]
    return [
        _field(name, specs[name], numbers.get(name), str(why.get(name, "")), there=name in numbers)
        for name in LABELS
    ]


def _field(name: str, spec: Mapping[str, Any], value: Any, why: str, *, there: bool) -> Field:
    label, help_ = LABELS[name]
    one = Field(key=f"n.{name}", pointer=f"/{name}", label=str(label), help=str(help_), why=why)
    one.value = text_of(value)
    kinds = spec.get("type", "string")
    one.type = str(kinds[0] if isinstance(kinds, list) else kinds)
    if name in CHOICES:
        one.widget = "choice"
        one.options = [(code, str(words)) for code, words in CHOICES[name].items()]
        if name != "guard":
            one.options.insert(0, ("", _("as it comes")))
    elif one.type == "boolean":
        one.widget = "choice"
        one.options = [("", _("as it comes")), ("true", _("yes")), ("false", _("no"))]
    else:
        one.widget = "number"
    one.required = name == "guard"
    return one


def profile_of(fields: list[Field]) -> dict[str, Any]:
    """The profile that the fields say; what is empty is left to the defaults of the house."""
    return {one.pointer[1:]: value_of(one) for one in fields if one.value.strip()}
