"""Requests in canonical form: one spelling an identity, payloads with fingerprints, references that exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from once_delivery.accounts.models import Project
from once_delivery.common import canonical as form
from once_delivery.common.errors import DomainError, Problem
from once_delivery.common.moments import OTHER_TIMES, meant
from once_delivery.ledger.references import slots_needed
from once_delivery.ledger.requests import ActionRequest, DeliveryRequest
from once_delivery.targets.models import Target

ONLY_BY_PERMIT = "permit"  # the kind of target that the house cannot reach
TaskKey = tuple[str, str, str, int]  # product, locale, purpose, input version


@dataclass(frozen=True, slots=True)
class WantedAction:
    """One action in canonical form."""

    target: Target
    kind: str
    slot: str
    payload: Mapping[str, Any]
    fingerprint: str
    needs: frozenset[str]
    by_permit: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """One delivery in canonical form."""

    request: DeliveryRequest
    key: TaskKey
    actions: tuple[WantedAction, ...]


def canonical(
    *, project: Project, deliveries: Sequence[DeliveryRequest], problems: list[Problem]
) -> list[Wanted]:
    """Every delivery that has no problem; the problems of the others are added to ``problems``."""
    named = {action.target for delivery in deliveries for action in delivery.actions}
    known = Target.objects.filter(project=project, name__in=named).only("uuid", "name", "kind")
    targets = {target.name: target for target in known}
    wanted = []
    for delivery in deliveries:
        before = len(problems)
        one = _delivery(delivery, targets, problems)
        if one is not None and len(problems) == before:
            wanted.append(one)
    return wanted


def _delivery(
    delivery: DeliveryRequest, targets: Mapping[str, Target], problems: list[Problem]
) -> Wanted | None:
    try:
        key = (
            form.code(delivery.product, name="product"),
            form.locale(delivery.locale),
            form.code(delivery.purpose, name="purpose"),
            delivery.input_version,
        )
    except DomainError as error:
        problems.append(error.as_problem(row=delivery.row))
        return None
    if delivery.input_version < 1:
        _add(problems, delivery, "bad-input-version", gettext_noop("The input version is a number from 1."))
    at = delivery.approved_at
    if at is not None and meant(at) is None:
        _add(problems, delivery, "bad-time", OTHER_TIMES, value=at.isoformat())
    if not delivery.actions:
        _add(problems, delivery, "nothing-to-do", gettext_noop("The delivery names no action."))
    actions = [_action(delivery, action, targets, problems) for action in delivery.actions]
    made = tuple(action for action in actions if action is not None)
    _check_slots(delivery, made, problems)
    return Wanted(request=delivery, key=key, actions=made)


def _action(
    delivery: DeliveryRequest, action: ActionRequest, targets: Mapping[str, Target], problems: list[Problem]
) -> WantedAction | None:
    target = targets.get(action.target)
    if target is None:
        _add(
            problems,
            delivery,
            "unknown-target",
            gettext_noop("There is no target named “%(name)s” in this project."),
            name=action.target,
        )
        return None
    try:
        slot = form.code(action.slot, name="slot")
        fingerprint = form.fingerprint(dict(action.payload))
    except DomainError as error:
        problems.append(error.as_problem(row=delivery.row))
        return None
    except (ValueError, TypeError) as error:
        _add(
            problems,
            delivery,
            "payload-not-json",
            gettext_noop("The payload cannot be written as JSON: %(why)s"),
            why=str(error)[:200],
        )
        return None
    return WantedAction(
        target=target,
        kind=str(action.kind),
        slot=slot,
        payload=action.payload,
        fingerprint=fingerprint,
        needs=slots_needed(action.payload),
        by_permit=action.by_permit or target.kind == ONLY_BY_PERMIT,
    )


def _check_slots(
    delivery: DeliveryRequest, actions: tuple[WantedAction, ...], problems: list[Problem]
) -> None:
    slots = [action.slot for action in actions]
    for slot in sorted({slot for slot in slots if slots.count(slot) > 1}):
        _add(
            problems,
            delivery,
            "slot-twice",
            gettext_noop("The slot “%(slot)s” is named twice in one task."),
            slot=slot,
        )
    for action in actions:
        for missing in sorted(action.needs - set(slots)):
            _add(
                problems,
                delivery,
                "unknown-reference",
                gettext_noop(
                    "“%(slot)s” refers to the result of “%(missing)s”, which is not an action of this task."
                ),
                slot=action.slot,
                missing=missing,
            )
    if _has_circle({action.slot: action.needs for action in actions}):
        _add(
            problems,
            delivery,
            "circular-reference",
            gettext_noop("The actions wait for each other in a circle."),
        )


def _has_circle(needs: Mapping[str, frozenset[str]]) -> bool:
    left = dict(needs)
    while left:
        free = [slot for slot, wanted in left.items() if not (wanted & left.keys())]
        if not free:
            return True
        for slot in free:
            del left[slot]
    return False


def _add(
    problems: list[Problem], delivery: DeliveryRequest, code: str, template: str, **params: object
) -> None:
    problems.append(Problem(code=code, template=template, params=params, row=delivery.row))
