"""The whole form: what it begins with, what was typed, and storing it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError, InvalidInputError, Problem
from once_delivery.common.sheets.strict_json import TooDeepError, strict_json
from once_delivery.targets.models import Target
from once_delivery.targets.parameter_words import CREDENTIALS, OPTIONAL, credential_names
from once_delivery.targets.profile import Profile
from once_delivery.targets.rest.profiles import choices_of, defaults_of, parameters_of, ready_profile
from once_delivery.targets.services.save_target import save_target
from once_delivery.web.target_form.field import Field
from once_delivery.web.target_form.problems import place
from once_delivery.web.target_form.profile_fields import profile_fields, profile_of
from once_delivery.web.target_form.schema_fields import declaration_of, fields_of, unsayable
from once_delivery.web.target_form.start import Start

Typed = Mapping[str, str]
_DEEPEST = 40


@dataclass(slots=True)
class TargetForm:
    """``target`` None: a new one. ``rest``: problems that belong to no field."""

    project: Project
    start: Start
    target: Target | None
    basics: list[Field]
    parameters: list[Field]
    profile: list[Field]
    credentials: list[Field]
    expert: Field
    is_test: bool = False
    allow_inside: bool = False
    secrets_typed: bool = False  # they are not shown again, so that they must be typed again
    rest: list[str] = field(default_factory=list)

    @property
    def all_fields(self) -> list[Field]:
        return [*self.basics, *self.parameters, *self.profile, *self.credentials, self.expert]

    @property
    def offers_inside(self) -> bool:
        """Whether to ask if its address may lead inside: where the operator lets no target do so, nobody can say it."""
        return bool(settings.TARGETS_MAY_GO_INSIDE) or (self.target is not None and self.target.may_go_inside)

    @property
    def wrong(self) -> int:
        """How many fields have something wrong."""
        return sum(bool(one.errors) for one in self.all_fields) + len(self.rest)


def form_for(*, project: Project, start: Start, target: Target | None = None) -> TargetForm:
    """The form as it is opened: a stored target's values, or the defaults of a kind."""
    declaration: Mapping[str, Any] = target.declaration if target else start.declaration
    parameters = _parameters(start, declaration)
    left = unsayable(parameters, declaration) if not start.ready else {}
    return TargetForm(
        project=project,
        start=start,
        target=target,
        basics=_basics(start, target),
        parameters=parameters,
        profile=profile_fields(target.profile_data if target else start.numbers, start.why),
        credentials=_credentials(start.kind, start.named or declaration),
        expert=Field(
            key="expert",
            pointer="/",
            label=_("Declaration as JSON")
            if start.kind == "rest"
            else _("For experts: more of the declaration"),
            help=_("What stands here goes over what the fields say."),
            widget="json",
            value=json.dumps(left, ensure_ascii=False, indent=2) if left else "",
        ),
        is_test=target.is_test if target else False,
        allow_inside=target.allow_inside if target else False,
    )


def _basics(start: Start, target: Target | None) -> list[Field]:
    name = Field(
        "name", "/name", _("Name"), _("Batch files name the target by it."), required=True,
        value=target.name if target else "",
    )  # fmt: skip
    url = Field(
        "base_url", "/base_url", _("Address"), _("As https://name/path; without a query and a password."),
        value=target.base_url if target else "", required=start.needs_address,
    )  # fmt: skip
    return [url] if target else [name, url]


def _parameters(start: Start, declaration: Mapping[str, Any]) -> list[Field]:
    if start.kind == "rest":
        if not start.ready:
            return []
        return _values(start.ready)
    return fields_of(start.kind, declaration)


def _values(ready: str) -> list[Field]:
    """What a ready profile asks an operator for."""
    defaults, choices = defaults_of(ready), choices_of(ready)
    fields = []
    for name, about in parameters_of(ready).items():
        one = Field(f"v.{name}", f"/set/{name}", about[:1].upper() + about[1:], value=defaults.get(name, ""))
        one.required = name not in defaults
        if name in choices:
            one.widget, one.options = "choice", [(code, code) for code in choices[name]]
        fields.append(one)
    return fields


def _credentials(kind: str, declaration: Mapping[str, Any]) -> list[Field]:
    try:
        names = credential_names(kind, declaration)
    except DomainError:
        names = ()
    return [
        Field(
            f"c.{name}", f"/credentials/{name}", str(CREDENTIALS.get(name, name)),
            _("May stay empty.") if name in OPTIONAL else "", widget="secret",
        )
        for name in names
    ]  # fmt: skip


def fill(form: TargetForm, typed: Typed) -> None:
    """Everything that was typed stands in the form again; secrets do not."""
    for one in form.all_fields:
        if one.widget != "secret":
            one.value = typed.get(one.key, "")[:100_000]
            one.none = one.nullable and typed.get(f"{one.key}!none") == "yes"
    if form.start.kind == "rest" and not form.start.ready:
        form.credentials = _credentials("rest", _object(form.expert.value) or {})
    form.secrets_typed = any(typed.get(one.key) for one in form.credentials)
    form.is_test = typed.get("is_test") == "yes"
    # a box that is not offered says nothing
    kept = form.target is not None and form.target.allow_inside and not form.offers_inside
    form.allow_inside = kept or typed.get("allow_inside") == "yes"


def store(form: TargetForm, typed: Typed) -> Target | None:
    """The stored target; None when something is wrong, which then stands beside its field. Nothing is half stored."""
    profile = profile_of(form.profile)
    problems = [*_profile_problems(form, profile)]
    declaration, base_url = _declared(form)
    secrets = {one.key[2:]: typed[one.key] for one in form.credentials if typed.get(one.key)}
    if declaration is None or problems:
        return None
    values = {one.key: one.value.strip() for one in form.basics}
    try:
        return save_target(
            project=form.project,
            name=form.target.name if form.target else values["name"],
            kind=form.start.kind,
            base_url=values["base_url"] or base_url,
            declaration=declaration,
            profile=profile,
            credentials=secrets or None,
            allow_inside=form.allow_inside,
            is_test=form.is_test,
            replace=form.target is not None,
            keep_others=True,
        )
    except InvalidInputError as error:
        form.rest += place([_moved(form, one) for one in error.problems], _declared_fields(form))
    except DomainError as error:
        form.rest.append(error.message)
    return None


def _declared_fields(form: TargetForm) -> list[Field]:
    return [*form.basics, *form.parameters, *form.credentials]


def _profile_problems(form: TargetForm, profile: Mapping[str, Any]) -> tuple[Problem, ...]:
    try:
        Profile.from_json(profile)
    except InvalidInputError as error:
        form.rest += place(error.problems, form.profile)
        return error.problems
    return ()


def _declared(form: TargetForm) -> tuple[dict[str, Any] | None, str]:
    """The declaration that the form says and the address that comes with it; None when it cannot be read."""
    expert = _object(form.expert.value)
    if expert is None:
        form.expert.errors += _what_is_wrong(form.expert.value)
        return None, ""
    if not form.start.ready:
        return declaration_of(form.parameters, expert), ""
    given = {one.key[2:]: one.value.strip() for one in form.parameters if one.value.strip()}
    try:
        ready = ready_profile(form.start.ready, "", **given)
    except InvalidInputError as error:
        form.rest += place(error.problems, form.parameters)
        return None, ""
    return {**ready.declaration, **expert}, ready.base_url


def _moved(form: TargetForm, problem: Problem) -> Problem:
    """A missing credential of a declared ``auth`` belongs beside the credential."""
    if problem.code != "credential-missing":
        return problem
    name = str(problem.params.get("name", ""))
    return Problem(
        code="credential-missing",
        template=str(_("Give it; it is kept sealed.")),
        pointer=f"/credentials/{name}",
    )


def _what_is_wrong(text: str) -> list[str]:
    """Why ``text`` is none of which one could say what it means: no object, or a key that is there twice."""
    try:
        flaws = strict_json(text, depth=_DEEPEST)[1]
    except (ValueError, TooDeepError):
        flaws = []
    said = [Problem(one.code, one.template, one.params).message for one in flaws]
    return said or [_("This is not a JSON object.")]


def _object(text: str) -> dict[str, Any] | None:
    """A JSON object, an empty one for no text; None for anything else."""
    try:
        found, flaws = strict_json(text, depth=_DEEPEST) if text.strip() else ({}, [])
    except (ValueError, TooDeepError):
        return None
    return found if isinstance(found, dict) and not flaws else None
