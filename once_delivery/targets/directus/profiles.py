"""What a Directus project can be relied on for, and why (measured on 11.17.4; README.md of this folder)."""

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
    "deadline_s": 30,
    "concurrency": 4,
    "look_up_every_s": 5,
    "patience_s": 3600,
    "on_new_version": "create_new",
}
_WHY: Mapping[str, Text] = {
    "look_up": _("Items can be filtered by the marker's field, in every status."),
    "consistency": _("Lists read the database itself; each look-up is worded so that no cache knows it."),
    "deadline_s": _("A draft takes a few milliseconds; flows that run before the insert take longer."),
    "concurrency": _("Directus keeps ten connections to its database at most: some stay for the editors."),
    "look_up_every_s": _("A look-up costs one short read, and a second one when nothing is found."),
    "patience_s": _("A project that has been away for an hour needs a person."),
    "on_new_version": _(
        "Directus compares no versions when it saves: an update would undo what an editor saves in the same moment."
    ),
}

PROFILES: Mapping[Guard, DefaultProfile] = {
    Guard.CLIENT_ID: DefaultProfile(
        numbers={**_NUMBERS, "guard": "client_id", "settle_s": 60},
        why={
            **_WHY,
            "guard": _(
                "The database allows one item for an ID of ours: eight at once made one, in every round."
            ),
            "settle_s": _("A request may wait a minute for a connection to the database."),
        },
    ),
    Guard.LOOKUP: DefaultProfile(
        numbers={**_NUMBERS, "guard": "lookup", "settle_s": 300, "check_after_create": True},
        why={
            **_WHY,
            "guard": _("Nothing in the database keeps a second item with the same marker away."),
            "settle_s": _(
                "Directus finishes a request whose caller has gone, and sets it no limit: a minute for a connection, "
                "flows before the insert, and some room."
            ),
            "check_after_create": _(
                "Nothing in the database keeps a second item away, so that they are counted."
            ),
        },
    ),
}
