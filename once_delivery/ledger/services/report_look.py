"""What somebody outside saw at the target under a permit to look. Absence is earned here as anywhere (R5, R6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.evidence import load
from once_delivery.ledger.facts import settled_at
from once_delivery.ledger.looking import DueLook
from once_delivery.ledger.models import Action, Observation, Permit, PermitKind
from once_delivery.ledger.services.note_duplicate import note_duplicate
from once_delivery.ledger.services.record_looks import Looked, as_json, record_looks
from once_delivery.ledger.services.settle_permit import PermitDoesNotFitError
from once_delivery.ledger.states import FINAL, State
from once_delivery.ledger.transitions import Actor, lock
from once_delivery.ledger.trust import trusted_look
from once_delivery.ledger.witness import witness_after
from once_delivery.targets.base import FoundObject, Kind, Look, LookUpRequest, Verdict
from once_delivery.targets.profile import Consistency, Profile

_OK = range(200, 300)


class PermitExpiredError(DomainError):
    """What was seen so long ago says nothing about now."""

    code = "permit-expired"
    template = gettext_noop("This permit was valid until %(until)s. Ask for a new one.")


@dataclass(frozen=True, slots=True)
class Seen:
    """What the holder says. ``found`` empty: nothing was found. ``witness``: the marker of the witness that was seen."""

    found: tuple[FoundObject, ...] = ()
    complete: bool = False
    method: str = ""
    http_status: int | None = None
    detail: str = ""
    witness: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """What was made of it. ``counts_from``: a look begun before then proves no absence."""

    verdict: Verdict
    code: str
    proves_absence: bool = False
    counts_from: datetime | None = None


def report_look(*, permit: Permit, seen: Seen, actor: Actor) -> Told:
    """Afterwards the look is an observation, and the action stands where the evidence puts it.

    The look counts as begun when its permit was given. Only an object with our marker is adopted; another is a
    candidate for a person. Raises PermitDoesNotFitError, PermitExpiredError (never for something found).
    """
    if permit.kind != PermitKind.LOOK_UP:
        raise PermitDoesNotFitError(kind=permit.get_kind_display())
    if not seen.found and database_now() > permit.lease_until:
        raise PermitExpiredError(until=permit.lease_until.isoformat())
    with transaction.atomic():
        lock([permit.action_id])
        action = Action.objects.select_related("target").get(pk=permit.action_id)
        due = _due(action, permit, action.target.profile)
        look = trusted_look(due.request, _look(action, seen))
        settled = settled_at(load([action.pk])[action.pk].evidence)
        if action.state in FINAL or action.state == State.SENDING:
            _keep(action, permit, due, look, actor)
        else:
            due = replace(due, revision=action.revision) if look.objects else due
            witnessed = _witnessed(action, seen, action.target.profile, settled)
            record_looks(
                [Looked(due, look, witnessed=witnessed)],
                profile=action.target.profile,
                actor=actor,
                run_id=permit.run_id,
            )
        Permit.objects.filter(pk=permit.pk).update(reported=look.verdict[:10], reported_at=database_now())
        last = Observation.objects.filter(action=action).order_by("-pk")[0]
    return Told(look.verdict, look.code, proves_absence=last.proves_absence, counts_from=settled)


def _due(action: Action, permit: Permit, profile: Profile) -> DueLook:
    return DueLook(
        action_id=action.pk,
        project_id=action.project_id,
        state=State(action.state),
        revision=permit.revision,
        look_ups=action.look_ups,
        sends=action.sends,
        looked_at=permit.given_at,
        request=LookUpRequest(
            kind=Kind(action.kind),
            marker=action.marker,
            client_id=str(action.client_id),
            deadline_s=profile.deadline_s,
            result_id=action.result_id,
        ),
    )


def _look(action: Action, seen: Seen) -> Look:
    """Ours is what carries our marker, or has the ID that the target gave us for it; the rest merely looks alike."""
    ours = tuple(one for one in seen.found if _is_ours(action, one))
    others = tuple(one for one in seen.found if not _is_ours(action, one))
    method = seen.method or "reported"
    status = seen.http_status
    if ours:
        return Look(
            Verdict.FOUND,
            method,
            complete=seen.complete,
            objects=tuple(replace(one, marker=action.marker) for one in ours),
            candidates=others,
            http_status=status,
            detail=seen.detail,
        )
    code = f"http-{status}" if status is not None and status not in _OK else ""
    verdict = Verdict.CANNOT_TELL if code or not (seen.complete or others) else Verdict.ABSENT
    return Look(
        verdict,
        method,
        complete=seen.complete,
        candidates=others,
        code=code or ("" if verdict == Verdict.ABSENT else "incomplete"),
        http_status=status,
        detail=seen.detail,
    )


def _is_ours(action: Action, found: FoundObject) -> bool:
    if found.marker is not None:
        return found.marker == action.marker
    return action.kind == Kind.START_JOB and bool(action.result_id) and found.result_id == action.result_id


def _witnessed(action: Action, seen: Seen, profile: Profile, settled: datetime | None) -> bool:
    if not seen.witness or profile.consistency != Consistency.BOUNDED or settled is None:
        return False
    lag = timedelta(seconds=profile.index_lag_s)
    witness = witness_after(settled - lag, target_id=action.target_id, kind=Kind(action.kind))
    return witness is not None and witness.marker == seen.witness


def _keep(action: Action, permit: Permit, due: DueLook, look: Look, actor: Actor) -> None:
    """Nothing follows from it now; another object of ours beside a confirmed one is seen all the same (R6, R7)."""
    Observation.objects.create(
        project_id=action.project_id,
        action=action,
        run_id=permit.run_id,
        verdict=look.verdict,
        method=look.method,
        complete=look.complete,
        code=look.code,
        http_status=look.http_status,
        objects_seen=[as_json(found) for found in look.objects],
        candidates=[as_json(found) for found in look.candidates],
        detail=look.detail,
        looked_at=due.looked_at,
        recorded_at=database_now(),
    )
    ids = {found.result_id for found in look.objects}
    if action.state == State.CONFIRMED and ids - {action.result_id}:
        note_duplicate(
            action_id=action.pk,
            result_ids=[action.result_id, *sorted(ids)],
            reason="found-many",
            actor=actor,
            run_id=permit.run_id,
        )
