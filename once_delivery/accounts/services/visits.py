"""Where a person is signed in, and signing out there."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from once_delivery.accounts.models import User, Visit

_SEEN_EVERY = timedelta(minutes=5)


def begin_visit(*, user: User, session: SessionBase, browser: str) -> Visit:
    """To be called after signing in: the session is written down as this person's."""
    if session.session_key is None:
        session.save()
    visit, _ = Visit.objects.update_or_create(
        session_key=session.session_key, defaults={"user": user, "browser": browser[:300]}
    )
    return visit


def note_seen(*, user: User, session: SessionBase) -> None:
    """The person is here; written down every few minutes alone."""
    now = timezone.now()
    Visit.objects.filter(
        user=user, session_key=session.session_key or "", seen_at__lt=now - _SEEN_EVERY
    ).update(seen_at=now)


def visits_of(user: User) -> QuerySet[Visit]:
    """Where the person is signed in now, the latest first; what expired is forgotten."""
    alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    Visit.objects.filter(user=user).exclude(session_key__in=alive).delete()
    return Visit.objects.filter(user=user).order_by("-seen_at")


def end_visit(*, visit: Visit) -> None:
    """Afterwards that browser is signed out."""
    with transaction.atomic():
        Session.objects.filter(session_key=visit.session_key).delete()
        visit.delete()


def end_all_visits(*, user: User) -> None:
    """Afterwards the person is signed in nowhere."""
    for visit in Visit.objects.filter(user=user):
        end_visit(visit=visit)


def end_other_visits(*, user: User, session: SessionBase) -> int:
    """Afterwards the person is signed in here alone; returns how many others were ended."""
    others = list(Visit.objects.filter(user=user).exclude(session_key=session.session_key or ""))
    for visit in others:
        end_visit(visit=visit)
    return len(others)
