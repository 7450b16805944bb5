"""Read the draft of a task at its target."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError
from once_delivery.common.redact import storable
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Action
from once_delivery.ledger.trust import CONTENT_LONGEST
from once_delivery.review.drafts import lock_draft
from once_delivery.review.models import Draft
from once_delivery.review.text import hash_of, text_hash_of
from once_delivery.targets.base import FoundObject, Kind, Verdict
from once_delivery.targets.connecting import connected

DEADLINE_S = 15.0  # a person waits for it


class DraftUnreadableError(DomainError):
    """The target did not show it; nothing follows from that about the draft itself."""

    code = "draft-unreadable"
    template = gettext_noop("“%(target)s” does not show the draft now (%(reason)s). Try again.")


class DraftGoneError(DomainError):
    """It is not there, or in the trash."""

    code = "draft-gone"
    template = gettext_noop("The draft is not at “%(target)s” any more.")


class DraftForeignError(DomainError):
    """The object of that ID is somebody else's now."""

    code = "draft-foreign"
    template = gettext_noop("The object “%(result_id)s” at “%(target)s” does not carry our marker any more.")


def fetch_draft(*, action: Action) -> Draft:
    """The text that the target's object has now; the same text as before is the same row.

    ``action`` is a confirmed draft. Raises DraftUnreadableError, DraftGoneError, DraftForeignError.
    """
    return keep_draft(action=action, found=read_object(action=action))


def keep_draft(*, action: Action, found: FoundObject) -> Draft:
    """Write down what was read of the action's object just now."""
    whole = {storable(name): storable(text) for name, text in found.content.items()}
    content = {name[:100]: text[:CONTENT_LONGEST] for name, text in whole.items()}
    now = database_now()
    seen = {
        "project_id": action.project_id,
        "content": content,
        "text_hash": text_hash_of(whole),
        "version": storable(found.version)[:200],
        "status": storable(found.status)[:60],
        "url": storable(found.url)[:1000],
        "read_at": now,
    }
    with transaction.atomic():
        lock_draft(action.task_id)
        draft, _ = Draft.objects.update_or_create(
            action=action,
            content_hash=hash_of(whole),  # of all of it, however much is kept to be shown
            defaults=seen,
            create_defaults={**seen, "first_read_at": now},
        )
    return draft


def read_object(*, action: Action) -> FoundObject:
    """The object as the target shows it; asks the target alone, not the database. Raises as ``fetch_draft``."""
    target = action.target
    with connected(target) as connector:
        look = connector.read(kind=Kind(action.kind), result_id=action.result_id, deadline_s=DEADLINE_S)
    if look.verdict == Verdict.ABSENT and look.complete:
        raise DraftGoneError(target=target.name)
    if look.verdict != Verdict.FOUND or len(look.objects) != 1:
        raise DraftUnreadableError(target=target.name, reason=look.code or str(look.verdict))
    (found,) = look.objects
    if found.marker not in {None, action.object_marker or action.marker}:
        raise DraftForeignError(target=target.name, result_id=action.result_id)
    if found.trashed:
        raise DraftGoneError(target=target.name)
    return found
