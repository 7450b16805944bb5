"""The door for generation services: each job has an address of its own, which says whose job it is.

Nobody is signed in here. The address is signed with a key of its target; a wrong one is answered like one that does not
exist.
"""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from once_delivery.common.errors import DomainError
from once_delivery.common.secrets import unseal
from once_delivery.ledger.models import Action
from once_delivery.ledger.services.take_call import take_call
from once_delivery.ledger.transitions import Actor
from once_delivery.targets.base import Kind
from once_delivery.targets.jobs import hooks
from once_delivery.targets.jobs.declaration import read_declaration
from once_delivery.targets.models import Target

_TAKEN, _UNREADABLE, _NOT_FOUND, _NOT_NOW = 204, 400, 404, 503
_ACTOR = Actor("service:call")


@csrf_exempt  # a service has no cookie of ours; the address itself is the proof
@never_cache
@require_POST
def job_ended(request: HttpRequest, claim: str) -> HttpResponse:
    """204 for every call at an address of ours, repeated ones too; 400 for one that names no job; 503 while the
    target's settings cannot be read; else 404."""
    action = _claimed(claim)
    if action is None:
        return HttpResponse(status=_NOT_FOUND)
    try:
        service = read_declaration(action.target.declaration).service
    except DomainError:  # which job it is cannot be read now: services call again
        return HttpResponse(status=_NOT_NOW)
    job_id = hooks.named_job(service.call_job_id, _document(request))
    if not job_id:
        return HttpResponse(status=_UNREADABLE)
    take_call(action=action, result_id=job_id, actor=_ACTOR)
    return HttpResponse(status=_TAKEN)


def _claimed(claim: str) -> Action | None:
    marker = hooks.claimed_marker(claim)
    if not marker:
        return None
    for target in Target.objects.filter(kind="jobs"):
        key = _hook_key(target)
        if key and hooks.is_ours(claim, key):
            found = Action.objects.filter(target=target, marker=marker, kind=Kind.START_JOB)
            return found.select_related("target").first()
    return None


def _hook_key(target: Target) -> str:
    try:
        return unseal(bytes(target.credentials_sealed)).get(hooks.KEY_CREDENTIAL, "")
    except DomainError:  # sealed with a key that is gone: it can prove nothing
        return ""


def _document(request: HttpRequest) -> Any:
    try:
        return json.loads(request.body)
    except (ValueError, RecursionError):
        return None


urlpatterns: list[URLPattern] = [path("jobs/<str:claim>/", job_ended, name="job-ended")]
