"""Set up a target, or change it: everything is validated before anything is kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError, InvalidInputError, Problem
from once_delivery.common.secrets import seal, unseal
from once_delivery.targets.base import Connection
from once_delivery.targets.holding import refuse_held
from once_delivery.targets.inside import may_go_inside
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Profile
from once_delivery.targets.refutations import as_kept, refuse_refuted, standing_refutations
from once_delivery.targets.registry import connect

_ADDRESS_LONGEST = 500
TOO_MUCH = gettext_noop("At most %(most)s characters.")
_NAME = re.compile(r"[-a-zA-Z0-9_]{1,50}")


class TargetExistsError(DomainError):
    """A target of that name is there already."""

    code = "target-exists"
    template = gettext_noop(
        "Project “%(project)s” has a target “%(name)s” already; say that it is to be changed."
    )


def save_target(
    *,
    project: Project,
    name: str,
    kind: str,
    base_url: str,
    declaration: Mapping[str, Any],
    profile: Mapping[str, Any],
    credentials: Mapping[str, str] | None = None,
    allow_inside: bool = False,
    is_test: bool = False,
    replace: bool = False,
    keep_others: bool = False,
) -> Target:
    """Afterwards the target is stored. ``credentials`` None keeps those that are stored; ``keep_others`` replaces only
    those that are named.

    Raises InvalidInputError with pointers into the declaration or profile, UnknownTargetKindError, TargetExistsError,
    GuardRefutedError when a probe refuted the guard and none has confirmed it since, or what ``targets/holding.py`` does.
    """
    _refuse_name(name)
    known = Target.objects.filter(project=project, name=name).first()
    _refuse_address(base_url, known, allow_inside=allow_inside)
    claimed = Profile.from_json(profile)
    new = _credentials(known, credentials, keep_others=keep_others)
    connect(kind, Connection(base_url, declaration, new, allow_inside)).close()
    if known is not None and not replace:
        raise TargetExistsError(project=project.code, name=name)
    target = known or Target(project=project, name=name)
    target.kind = kind
    target.base_url = base_url
    target.declaration = dict(declaration)
    target.profile_data = dict(profile)
    target.allow_inside = allow_inside
    target.is_test = is_test
    if credentials is not None:
        target.credentials_sealed = seal(new)
        target.credentials_at = timezone.now() if new else None
    _store(target, claimed)
    return target


def _store(target: Target, claimed: Profile) -> None:
    with transaction.atomic():
        if target.pk is not None:
            # a probe may be writing down what it refuted, a drill be agreed on
            held = Target.objects.select_for_update().get(pk=target.pk)
            if _leads(target) != _leads(held) or not _same_account(target, held):
                refuse_held(held)
        refuse_refuted(target, claimed)
        target.refuted = as_kept(standing_refutations(target, claimed))
        target.save()


def _leads(target: Target) -> tuple[object, ...]:
    return target.kind, target.base_url, target.declaration, target.allow_inside


def _same_account(one: Target, other: Target) -> bool:
    """Sealed anew, the same credentials look different; what no key opens any more is another account."""
    sealed = bytes(one.credentials_sealed), bytes(other.credentials_sealed)
    try:
        return sealed[0] == sealed[1] or unseal(sealed[0]) == unseal(sealed[1])
    except DomainError:
        return False


def _refuse_address(base_url: str, known: Target | None, *, allow_inside: bool) -> None:
    """It is kept whole, and leads inside only where the operator lets targets do that. Raises InvalidInputError.

    What the target said already stays as long as its address does; nothing is dialled for it.
    """
    _refuse_long(base_url)
    said = known is not None and known.allow_inside and known.base_url == base_url
    if not said and allow_inside and not may_go_inside(base_url, allow_inside=True):
        problem = Problem(
            code="inside-not-allowed",
            template=gettext_noop(
                "Targets do not lead inside this network here; the operator could allow it (ONCE_TARGETS_INSIDE)."
            ),
            pointer="/allow_inside",
        )
        raise InvalidInputError((problem,))


def _refuse_name(name: str) -> None:
    """It stands in batch files and in commands. Raises InvalidInputError."""
    if not _NAME.fullmatch(name):
        problem = Problem(
            code="name-malformed",
            template=gettext_noop("A name is 1 to 50 letters, digits, “-” or “_”."),
            column="name",
            pointer="/name",
        )
        raise InvalidInputError((problem,))


def _refuse_long(base_url: str) -> None:
    if len(base_url) > _ADDRESS_LONGEST:
        problem = Problem(
            code="too-long", template=TOO_MUCH, params={"most": _ADDRESS_LONGEST}, pointer="/base_url"
        )
        raise InvalidInputError((problem,))


def _credentials(
    known: Target | None, given: Mapping[str, str] | None, *, keep_others: bool
) -> Mapping[str, str]:
    """Those that the target has afterwards. Stored ones are opened only when they stay."""
    if known is None or (given is not None and not keep_others):
        return given or {}
    return {**unseal(bytes(known.credentials_sealed)), **(given or {})}
