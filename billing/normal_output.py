"""What the fee for a normal output covers, line by line: one list for the terms, the fees and the quotes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class FeeLine:
    """One line of the checklist. ``never_billed``: whoever bills it breaks the rules, whatever the terms say."""

    code: str
    words: Promise
    unit: Promise
    included: bool  # by default
    never_billed: bool = False


FEE_LINES: tuple[FeeLine, ...] = (
    FeeLine("output", _("First generation"), _("output"), included=True),
    FeeLine(
        "platform_retry", _("Automatic retries of the platform"), _("retry"), included=True, never_billed=True
    ),
    FeeLine("client_round", _("Client's change rounds"), _("round"), included=True),
    FeeLine(
        "vendor_rework", _("Rework of the vendor's faults"), _("rework"), included=True, never_billed=True
    ),
    FeeLine("duplicate_check", _("Check for duplicates"), _("output"), included=True),
    FeeLine("delivery", _("Delivery to the target"), _("output"), included=True),
    FeeLine("reconciliation", _("Reconciliation of uncertain outcomes"), _("item"), included=True),
    FeeLine(
        "duplicate_cleanup",
        _("Cleanup of the vendor's duplicates"),
        _("item"),
        included=True,
        never_billed=True,
    ),
    FeeLine("storage", _("Storage"), _("output and month"), included=True),
    FeeLine("export", _("Standard export"), _("export"), included=True),
    FeeLine("new_version", _("New input versions"), _("output"), included=False),
    FeeLine("further_round", _("Further change rounds"), _("round"), included=False),
    FeeLine("confirmed_repeat", _("Repeats that the client confirmed"), _("output"), included=False),
    FeeLine("asked_cleanup", _("Cleanup that the client asked for"), _("item"), included=False),
    FeeLine("longer_storage", _("Longer storage"), _("output and month"), included=False),
    FeeLine("platform_fee", _("Fixed platform fee"), _("month"), included=False),
)
FEE_LINE_OF: Mapping[str, FeeLine] = {line.code: line for line in FEE_LINES}


def included_by_default() -> dict[str, bool]:
    """What ``Terms.includes`` begins with."""
    return {line.code: line.included for line in FEE_LINES}
