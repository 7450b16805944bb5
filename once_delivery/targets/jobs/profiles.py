"""What a generation service can be relied on for, as its documentation says. Nothing here was seen on a real service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from once_delivery.common.errors import Text
from once_delivery.targets.default_profile import DefaultProfile
from once_delivery.targets.profile import Guard

_NUMBERS: Mapping[str, Any] = {
    "deadline_s": 60,
    "settle_s": 600,
    "concurrency": 4,
    "look_up_every_s": 10,
    "attempts_max": 3,
}
_WHY: Mapping[str, Text] = {
    "deadline_s": _("A submit is answered within seconds; a minute waits for one that is slow."),
    "settle_s": _(
        "Simulated, not measured: how soon a job stands in a list is not documented, and a second one is paid."
    ),
    "concurrency": _("Accounts are limited to a few requests at once."),
    "look_up_every_s": _("A job takes minutes; asking more often tells nothing and uses up the rate limit."),
    "attempts_max": _("Each further try may be paid."),
}

_LISTED = DefaultProfile(
    numbers={**_NUMBERS, "guard": "lookup", "look_up": True, "consistency": "strong"},
    why={
        **_WHY,
        "guard": _("The service shows its jobs; nothing at the service keeps a second one away."),
        "look_up": _("A job is found by our own ID, or by its time and content."),
        "consistency": _(
            "Simulated: taken from the documentation, which tells of no lag; the settle time is long instead."
        ),
    },
)
_CALLED = DefaultProfile(
    numbers={
        **_NUMBERS,
        "guard": "lookup",
        "look_up": True,
        "consistency": "unknown",
        "patience_s": 7200,
    },
    why={
        **_WHY,
        "guard": _(
            "The service calls our signed address when the job ends; before that it can only be waited for."
        ),
        "look_up": _("Nothing is asked: a look-up waits for the service's call."),
        "consistency": _(
            "A call that does not come proves nothing: it is never sent again without a person."
        ),
        "patience_s": _("The service tries for two hours to deliver its call; then a person decides."),
    },
)
_NOTHING = DefaultProfile(
    numbers={**_NUMBERS, "guard": "none", "look_up": False},
    why={
        **_WHY,
        "guard": _("There is no key, no ID of ours and no list: a second try is a decision about money."),
        "look_up": _("The service cannot be asked about a job whose ID is not known."),
    },
)

PROFILES: Mapping[Guard, DefaultProfile] = {Guard.LOOKUP: _LISTED, Guard.NONE: _NOTHING}


def profile_of(service: str, *, called: bool = False) -> DefaultProfile:
    """What a target of this service begins with; ``called``: it may call us (``hook_base_url`` is declared)."""
    return (_CALLED if called else _NOTHING) if service == "fal" else _SPECIAL.get(service, _LISTED)


_SPECIAL: Mapping[str, DefaultProfile] = {
    "openai_images": DefaultProfile(
        numbers={**_NOTHING.numbers, "deadline_s": 180},
        why={**_NOTHING.why, "deadline_s": _("The answer is the picture: it comes when it is made.")},
    ),
    "dashscope": DefaultProfile(
        numbers={**_LISTED.numbers, "rate_per_s": 5},
        why={
            **_LISTED.why,
            "rate_per_s": _(
                "20 queries a second are allowed for all keys of an account together; we take a quarter."
            ),
        },
    ),
}
