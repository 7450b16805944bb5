"""What a Wagtail site can be relied on for, and why (measured on 8.0.1; README.md of this folder)."""

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
    "on_new_version": "update_existing",
}
_WHY: Mapping[str, Text] = {
    "look_up": _(
        "Wagtail's page list can be filtered by the marker's field, and shows drafts to this account."
    ),
    "consistency": _("The list reads the database itself, not a search index."),
    "deadline_s": _("gunicorn ends a request after 30 seconds, so that no later answer comes."),
    "concurrency": _("A usual site has four workers; more requests at once only wait."),
    "look_up_every_s": _("A look-up costs the site two or three short reads."),
    "patience_s": _("A site that has been away for an hour needs a person."),
    "on_new_version": _(
        "An update is a new revision of the draft: what stood there before stays in the page's history."
    ),
}

PROFILES: Mapping[Guard, DefaultProfile] = {
    Guard.CLIENT_ID: DefaultProfile(
        numbers={**_NUMBERS, "guard": "client_id", "settle_s": 60},
        why={
            **_WHY,
            "guard": _("The database allows one page for a marker: eight at once made one, in every round."),
            "settle_s": _("A request may wait half a minute for a worker and run for half a minute."),
        },
    ),
    Guard.LOOKUP: DefaultProfile(
        numbers={**_NUMBERS, "guard": "lookup", "settle_s": 120, "check_after_create": True},
        why={
            **_WHY,
            "guard": _("A slug is unique below one parent only, and an editor may change it."),
            "settle_s": _("Twice what a request can take: nothing else keeps a late one from landing."),
            "check_after_create": _(
                "Nothing in the database keeps a second page away, so that they are counted."
            ),
        },
    ),
}
