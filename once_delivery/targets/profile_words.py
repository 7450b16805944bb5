"""The words for a capability profile: its numbers, their units, and the choices among them."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from once_delivery.targets.probing.findings import Claim

Words = str | Promise

# name, and what it means; the order is that of a page
LABELS: dict[str, tuple[Words, Words]] = {
    "guard": (_("Guard"), _("What makes a second effect impossible or unlikely.")),
    "look_up": (_("The marker can be looked up"), _("Whether the target can be asked for one marker.")),
    "consistency": (_("Consistency of the look-up"), _("How soon a look-up shows what was made.")),
    "index_lag_s": (_("Lag of the look-up"), _("For “within a lag”: how long until it is shown, in seconds.")),
    "window_s": (_("Protection window"), _("How long the target remembers a key, in seconds.")),
    "window_margin_s": (_("Margin of the window"), _("So much before its end the key is not relied on, in seconds.")),
    "deadline_s": (_("Deadline of a request"), _("The whole of it, in seconds.")),
    "settle_s": (_("Settle time"), _("After the deadline, how long “absent” proves nothing, in seconds.")),
    "concurrency": (_("Requests at once"), _("Over all processes.")),
    "rate_per_s": (_("Requests a second"), _("Empty: no limit of ours.")),
    "look_up_every_s": (_("First pause between look-ups"), _("It doubles up to five minutes; in seconds.")),
    "patience_s": (_("Patience"), _("How long look-ups may fail before a person is asked, in seconds.")),
    "attempts_max": (_("Most sends of one action"), _("Those that never left are not counted.")),
    "check_after_create": (_("Count after every create"), _("Ask for exactly one after each create.")),
    "on_new_version": (_("A newer input version"), _("What becomes of the draft of the older one.")),
}  # fmt: skip
CHOICES: dict[str, dict[str, Words]] = {
    "guard": {
        "idempotency_key": _("idempotency key"),
        "client_id": _("client-chosen ID"),
        "lookup": _("look-up"),
        "none": _("none"),
    },
    "consistency": {
        "strong": _("at once"),
        "bounded": _("within a lag"),
        "unknown": _("not known: absence proves nothing"),
    },
    "on_new_version": {
        "update_existing": _("updates the existing draft"),
        "create_new": _("makes its own draft"),
    },
}
_OF_GUARD = frozenset({Claim.GUARD, Claim.SECOND_CREATE, Claim.AT_ONCE, Claim.OTHER_CONTENT})
_SECONDS = frozenset(name for name in LABELS if name.endswith("_s") and name != "rate_per_s")
_HOUR, _DAY = 3600, 86400


def value_words(name: str, value: object) -> str:
    """A value of the profile in words: ``30 s``, ``yes``, ``look-up``."""
    if name in CHOICES:
        return str(CHOICES[name].get(str(value), value))
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if value is None:
        return gettext("no limit of ours")
    if name in _SECONDS and isinstance(value, int | float):
        return seconds_words(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def seconds_words(value: float) -> str:
    """Seconds as people read them: 45 s, 10 min, 2 h, 30 d; only where nothing is lost."""
    for size, words in ((_DAY, gettext("%(n)s d")), (_HOUR, gettext("%(n)s h")), (60, gettext("%(n)s min"))):
        if value >= size * 2 and value % size == 0:
            return words % {"n": f"{value / size:g}"}
    return gettext("%(n)s s") % {"n": f"{value:g}"}


def claim_words(claim: Claim, claimed: str) -> str:
    """What a profile claims, in words; ``claimed`` is as it is kept. "" where it claims nothing to be named."""
    if claim in _OF_GUARD:
        return value_words("guard", claimed)
    if claim == Claim.UPDATE:
        return gettext("only of the version that it is for")
    if claimed in {"true", "false"}:
        return value_words(claim.value, claimed == "true")
    if claim.value in _SECONDS and claimed:
        return seconds_words(float(claimed))
    return value_words(claim.value, claimed)
