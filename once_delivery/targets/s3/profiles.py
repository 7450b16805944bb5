"""What an object store can be relied on for, and why (measured: README.md of this folder)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from once_delivery.common.errors import Text
from once_delivery.targets.default_profile import DefaultProfile
from once_delivery.targets.profile import Guard

_NUMBERS: Mapping[str, Any] = {
    "look_up": True,
    "consistency": "strong",
    "deadline_s": 60,
    "concurrency": 8,
    "look_up_every_s": 2,
    "patience_s": 3600,
}
_WHY: Mapping[str, Text] = {
    "look_up": _("The marker stands in the key, and keys are listed by their beginning."),
    "consistency": _(
        "S3 and Ceph show a stored object in the next listing; there is no index that comes later."
    ),
    "deadline_s": _("A large file takes its time to go up; one that is larger needs a longer one."),
    "concurrency": _("A store serves many at once; more would only share our own line."),
    "look_up_every_s": _("A look-up is one listing and one short read."),
    "patience_s": _("A store that has been away for an hour needs a person."),
}

PROFILES: Mapping[Guard, DefaultProfile] = {
    Guard.CLIENT_ID: DefaultProfile(
        numbers={**_NUMBERS, "guard": "client_id", "settle_s": 60, "on_new_version": "update_existing"},
        why={
            **_WHY,
            "guard": _(
                "If-None-Match: * lets one write of a key through: eight at once stored one object, in every round."
            ),
            "settle_s": _("A body that was sent whole may be stored a little after its sender has gone."),
            "on_new_version": _("If-Match lets a write through for one state of the object alone."),
        },
    ),
    Guard.LOOKUP: DefaultProfile(
        numbers={
            **_NUMBERS,
            "guard": "lookup",
            "settle_s": 120,
            "check_after_create": True,
            "on_new_version": "create_new",
        },
        why={
            **_WHY,
            "guard": _(
                "Without conditional writes a second write of a key replaces the first; use {sha256} in the key."
            ),
            "settle_s": _("Twice what a request can take: nothing else keeps a late one from landing."),
            "check_after_create": _(
                "Nothing in the store keeps a second write away, so that objects are counted."
            ),
            "on_new_version": _("Without conditional writes an update would replace whatever stands there."),
        },
    ),
}
