"""What vendor and buyer agree on before a drill begins, checked as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import jsonpointer
from django.utils.translation import gettext as _

from once_delivery.targets.base import Kind
from once_delivery.vendor_drill.errors import BadAgreementError
from once_delivery.vendor_drill.models.drill import FEWEST, MOST, Fault, Recognise

LONGEST_VENDOR, LONGEST_VALUE, LONGEST_PATH = 120, 300, 300
SHORTEST_LIMIT_S, LONGEST_LIMIT_S = 30, 7 * 24 * 3600
LONGEST_WAIT_S = 600.0
COUNTED = (Kind.CREATE_DRAFT, Kind.UPLOAD_FILE, Kind.START_JOB)


@dataclass(frozen=True, slots=True)
class Agreement:
    """``values``: one for each item, none by order. ``creates_at``: the path of creating calls begins so ("": any).

    ``slow_s``: how late a slow commit is. ``race_s``: how long the first of two at once waits for the second.
    """

    vendor: str
    count: int = 3
    faults: tuple[str, ...] = (Fault.ANSWER_LOST,)
    recognise: str = Recognise.ORDER
    place: str = ""
    values: tuple[str, ...] = ()
    creates_at: str = ""
    kind: str = Kind.CREATE_DRAFT
    limit_s: int = 3600
    slow_s: float = 20.0
    race_s: float = 30.0


def checked(given: Agreement) -> Agreement:
    """The same; raises BadAgreementError with the field that is wrong."""
    if not given.vendor.strip() or len(given.vendor) > LONGEST_VENDOR:
        raise BadAgreementError("vendor", _("a vendor has a name of at most 120 characters."))
    if given.kind not in COUNTED:
        raise BadAgreementError("kind", _("drafts, files or jobs are counted."))
    if not SHORTEST_LIMIT_S <= given.limit_s <= LONGEST_LIMIT_S:
        raise BadAgreementError("limit_s", _("the time limit is from 30 seconds to 7 days."))
    if not (0 < given.slow_s <= LONGEST_WAIT_S and 0 < given.race_s <= LONGEST_WAIT_S):
        raise BadAgreementError("slow_s", _("waits are from above 0 to 600 seconds."))
    if given.creates_at and (not given.creates_at.startswith("/") or len(given.creates_at) > LONGEST_PATH):
        raise BadAgreementError("creates_at", _("the path of creating calls begins with /."))
    _check_faults(given.faults, given.count)
    _check_field(given)
    return given


def _check_faults(faults: Sequence[str], count: int) -> None:
    if not FEWEST <= count <= MOST:
        raise BadAgreementError("count", _("there are 2 to 26 items."))
    if not faults or len(set(faults)) != len(faults) or not set(faults) <= set(Fault.values):
        raise BadAgreementError("faults", _("choose at least one fault, each once."))
    if count < len(faults) + 1:
        raise BadAgreementError(
            "count", _("each fault strikes an item of its own, and A is left alone: more items are needed.")
        )


def _check_field(given: Agreement) -> None:
    if given.recognise not in Recognise.values:
        raise BadAgreementError("recognise", _("this way of recognising items is not known."))
    if given.recognise == Recognise.ORDER:
        if given.values or given.place:
            raise BadAgreementError("values", _("by order there is no field and no value."))
        return
    if not given.place:
        raise BadAgreementError("place", _("name the field by which items are recognised."))
    if given.recognise == Recognise.JSON:
        _check_pointer(given.place)
    several = {one.strip().casefold() for one in given.values}
    if len(given.values) != given.count or len(several) != given.count:
        raise BadAgreementError("values", _("there must be one value for each item, each another."))
    if not all(one.strip() and len(one) <= LONGEST_VALUE for one in given.values):
        raise BadAgreementError("values", _("a value has 1 to 300 characters."))


def _check_pointer(place: str) -> None:
    try:
        jsonpointer.JsonPointer(place)
    except jsonpointer.JsonPointerException:
        raise BadAgreementError("place", _("a JSON pointer begins with /, such as /title.")) from None
