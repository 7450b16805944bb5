"""What the latest look-ups showed: the best candidate of a case and why, in one query for many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from once_delivery.ledger.models import Observation
from once_delivery.targets.base import Verdict
from once_delivery.web.selectors.notes import short_id


@dataclass(frozen=True, slots=True)
class Best:
    """The best candidate in few words, and why. ``code`` is the machine's word for what went wrong."""

    title: str
    why: str
    result_id: str = ""
    code: str = ""


def latest_looks(action_ids: Iterable[int]) -> dict[int, Observation]:
    """The latest look of each action that was ever looked for."""
    found = (
        Observation.objects.filter(action__in=list(action_ids))
        .order_by("action_id", "-looked_at", "-pk")
        .distinct("action_id")
    )
    return {one.action_id: one for one in found}


def best_of(look: Observation | None, *, title: str, refused: bool = False) -> Best:
    """``title`` is what we sent as the title, "" when nothing has one; ``refused``: the target said no."""
    if look is None and refused:
        return Best(_("no candidate"), _("The target refused and made nothing."))
    if look is None:
        return Best(_("no candidate"), _("The target was not asked, or cannot be asked."))
    ours, alike = shown(look.objects_seen), shown(look.candidates)
    if ours:
        return _ours(ours)
    if alike:
        return _alike(alike, title)
    if look.verdict == Verdict.ABSENT:
        proof = _("Absence is proven.") if look.proves_absence else _("Absence is not proven yet.")
        return Best(_("no candidate"), proof)
    return Best(_("no candidate"), _("The target could not tell."), code=look.code)


def shown(objects: Any) -> list[dict[str, Any]]:
    """The objects of an observation that can be shown."""
    return [one for one in objects if isinstance(one, dict)] if isinstance(objects, list) else []


def _ours(objects: list[dict[str, Any]]) -> Best:
    if len(objects) > 1:
        title = ngettext("%(count)s of ours", "%(count)s of ours", len(objects)) % {"count": len(objects)}
        return Best(title, _("More than one carries our marker."))
    (one,) = objects
    return Best("", _("It carries our marker."), short_id(str(one.get("result_id") or "")))


def _alike(objects: list[dict[str, Any]], title: str) -> Best:
    same = sum(bool(title) and one.get("title") == title for one in objects)
    if len(objects) > 1:
        count = ngettext("%(count)s looks alike", "%(count)s look alike", len(objects))
        why = ngettext(
            "%(count)s has our title; none our marker.", "%(count)s have our title; none our marker.", same
        )
        return Best(count % {"count": len(objects)}, why % {"count": same})
    (one,) = objects
    why = _("Same title, without our marker.") if same else _("It looks alike, without our marker.")
    return Best("", why, short_id(str(one.get("result_id") or "")))
