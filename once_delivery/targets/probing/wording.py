"""The words for claims and for what was seen, in both languages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from once_delivery.targets.probing.findings import Claim, Verdict

CLAIMS: dict[Claim, str | Promise] = {
    Claim.GUARD: _("Guard"),
    Claim.SECOND_CREATE: _("A second create makes nothing"),
    Claim.AT_ONCE: _("Many at once make one"),
    Claim.OTHER_CONTENT: _("Other content overwrites nothing"),
    Claim.WINDOW: _("Protection window"),
    Claim.LOOK_UP: _("Look-up by marker"),
    Claim.CONSISTENCY: _("Consistency of the look-up"),
    Claim.INDEX_LAG: _("Lag of the look-up"),
    Claim.ABSENCE: _("What nobody made is absent"),
    Claim.UPDATE: _("Update in place, guarded by the version"),
    Claim.CANNOT_PUBLISH: _("The account cannot publish"),
    Claim.STAYS_DRAFT: _("What is created stays a draft"),
    Claim.DEADLINE: _("Deadline of a request"),
    Claim.SETTLE: _("Settle time"),
    Claim.REMOVED: _("What is removed is not found"),
}

VERDICTS: dict[Verdict, str | Promise] = {
    Verdict.CONFIRMED: _("confirmed"),
    Verdict.REFUTED: _("refuted"),
    Verdict.DOUBTFUL: _("doubtful"),
    Verdict.NOT_MEASURED: _("not measured"),
}

SEEN: dict[str, str | Promise] = {
    # guards
    "guard-held": _("It held in every experiment."),
    "second-made-nothing": _("The second create made nothing: there is one object."),
    "second-made-another": _("A second create with the same identity made another object: %(ids)s."),
    "one-in-every-round": _("One object in each of %(rounds)s rounds with %(at_once)s requests at once."),
    "several-in-a-round": _("%(at_once)s requests at once made up to %(most)s objects."),
    "one-at-a-time": _("The profile, or what else runs there now, lets one request at a time through."),
    "other-made-another": _("Other content under the same identity made another object: %(ids)s."),
    "overwritten": _("Other content under the same identity overwrote the first."),
    "other-refused": _("Other content under the same identity was not taken (%(code)s), and the first stands."),
    "other-replayed-silently": _(
        "Other content under the same identity got the first answer again, without a word; the first stands."
    ),
    "cannot-be-counted": _("Neither the look-up nor the target's list shows what was made."),
    "cannot-be-read": _("The draft could not be read (%(code)s)."),
    "nothing-was-made": _("The target made no draft (%(code)s)."),
    "key-honoured": _("The key was remembered for as long as it is relied on (%(honoured_s)s s)."),
    "key-honoured-so-far": _("The key was remembered after %(honoured_s)s s; not measured beyond."),
    "key-forgotten": _(
        "The key was forgotten after %(forgotten_s)s s (remembered after %(honoured_s)s s): the same request made another object."
    ),
    "replay-not-answered": _("The repeated request got no result (%(code)s)."),
    # looking
    "found-every-time": _("Found %(found)s of %(looks)s times; in sight after %(median_s)s s (median), %(lag_s)s s (longest)."),
    "seen-in-time": _("In sight after %(median_s)s s (median), %(lag_s)s s (longest)."),
    "missed-after-answer": _("A complete look-up %(missed_s)s s after the answer said that it is not there."),
    "not-found": _("What was created was not found within %(limit_s)s s."),
    "not-found-every-time": _("The look-up did not find what was created, so its lag is not known."),
    "not-visible-yet": _("Not in sight after %(limit_s)s s, which is less than the declared lag."),
    "another-found": _("The look-up showed something else as ours."),
    "nobodys-found": _("The look-up showed something for a marker that nobody ever used."),
    "cannot-tell": _("The target could not tell (%(code)s)."),
    "absent-complete": _("Absent, and everything was read."),
    "absent-incomplete": _("Absent, but not everything was read."),
    # drafts
    "stale-update-refused": _("The second update for the same version was not taken, and the text of the first stands."),
    "stale-update-taken": _("The second update for the same version overwrote the first."),
    "update-changed-nothing": _("The update was answered as done and changed nothing."),
    "text-lost": _("After the second update neither text stands there."),
    "update-not-done": _("The first update was not done (%(code)s)."),
    "no-version": _("The target shows no version of a draft."),
    "not-declared": _("Updates are not declared for this target."),
    "may-not-publish": _("The account may not publish."),
    "may-publish": _("The account may publish."),
    "check-does-not-tell": _("The connection test of this kind of target does not tell."),
    "created-in-public": _("What was created is public: %(words)s."),
    "not-in-public": _("The target calls what was created: %(words)s."),
    "only-drafts-are-drafts": _("A file is no draft."),
    "no-status": _("The target shows no status."),
    # times
    "well-within": _("Create: %(create_median_s)s s (median), %(create_p95_s)s s (95 %%); look-up: %(look_p95_s)s s (95 %%)."),
    "near-the-deadline": _(
        "Little room: create %(create_p95_s)s s, look-up %(look_p95_s)s s (95 %%), more than half of the deadline."
    ),
    "landed-late": _(
        "Not measurable from outside. At least: a request whose sender hung up came into sight between %(landed_s)s and %(seen_s)s s later."
    ),
    "landed-after-settle": _("A request whose sender hung up landed later than the settle time: after %(landed_s)s s."),
    "hung-up-never-seen": _(
        "Not measurable from outside. A request whose sender hung up was not seen to land within %(waited_s)s s."
    ),
    "cannot-hang-up": _("Not measurable from outside, and no request could be left without its answer."),
    "cannot-be-asked": _("The target cannot be asked by marker."),
    "removed-is-absent": _("Absent after it was removed."),
    "removed-is-in-the-trash": _("In the trash after it was removed."),
    "removed-is-still-found": _("Still found after it was removed."),
    "nothing-removed": _("Nothing could be removed."),
}  # fmt: skip

# why something that the probe made is still there
LEFT: dict[str, str | Promise] = {
    "marker-not-shown": _("it does not show our marker, so it may be somebody else's"),
    "marker-of-another": _("it carries another marker"),
    "in-the-trash": _("it is in the trash"),
    "still-there": _("it is still there after it was removed"),
    "cannot-remove": _("this kind of target cannot remove"),
}


def seen_sentence(code: str, numbers: Mapping[str, Any]) -> str:
    """What was seen, in the active language; the code itself when it has no sentence."""
    found = SEEN.get(code)
    if found is None:
        return code
    values = {name: _said(value) for name, value in numbers.items()}
    return str(found) % defaultdict(lambda: "…", values)


def said_at(moment: datetime) -> str:
    """A moment in the active language and time zone."""
    return formats.date_format(timezone.localtime(moment), "DATETIME_FORMAT")


def left_sentence(code: str) -> str:
    """Why something is left, in the active language; the target's own code when it is one."""
    return str(LEFT.get(code, code))


def _said(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "…" if value in {None, ""} else str(value)
