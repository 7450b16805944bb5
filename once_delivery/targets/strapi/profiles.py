"""What a Strapi site can be relied on for, and why (measured on 5.54.0 with PostgreSQL; README.md of this folder)."""

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
    "settle_s": 300,
    "concurrency": 4,
    "look_up_every_s": 5,
    "patience_s": 3600,
}
_WHY: Mapping[str, Text] = {
    "look_up": _("Drafts and published entries can be filtered by the marker's field, in every language."),
    "consistency": _("Lists read the database itself, not a search index."),
    "deadline_s": _("Saving a draft takes less than a second; an upload is stored before it is answered."),
    "settle_s": _(
        "Node ends no request whose caller has gone. One waits at most a minute for a connection to the database; "
        "reading the body and some room come on top."
    ),
    "concurrency": _(
        "Strapi comes with ten connections to its database: more than half stay for the editors."
    ),
    "look_up_every_s": _("A look-up costs the site two or three short reads."),
    "patience_s": _("A site that has been away for an hour needs a person."),
}

PROFILES: Mapping[Guard, DefaultProfile] = {
    Guard.CLIENT_ID: DefaultProfile(
        numbers={**_NUMBERS, "guard": "client_id", "on_new_version": "update_existing"},
        why={
            **_WHY,
            "guard": _(
                "The plugin's unique index allows one draft for a marker and a language, and one file: eight at once made "
                "one, in every round."
            ),
            "on_new_version": _("The plugin compares versions in the transaction that saves a draft."),
        },
    ),
    Guard.LOOKUP: DefaultProfile(
        numbers={**_NUMBERS, "guard": "lookup", "check_after_create": True, "on_new_version": "create_new"},
        why={
            **_WHY,
            "guard": _("Strapi checks “unique” for no draft: eight at once made eight."),
            "check_after_create": _(
                "Nothing in the database keeps a second draft away, so that they are counted."
            ),
            "on_new_version": _(
                "Strapi compares no versions when it saves: an update would undo what an editor saves in the same moment."
            ),
        },
    ),
}
