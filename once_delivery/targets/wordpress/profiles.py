"""What a WordPress site can be relied on for, and why (measured on 6.1.9; README.md of this folder)."""

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
    "settle_s": 600,
    "concurrency": 3,
    "look_up_every_s": 5,
    "patience_s": 3600,
}
_WHY: Mapping[str, Text] = {
    "consistency": _("Lists read the database itself, not a search index."),
    "deadline_s": _("Saving a post takes a second or two; uploads make smaller pictures and take longer."),
    "settle_s": _(
        "Neither nginx nor PHP ends a request whose caller has gone: PHP's limit counts no waiting. Hosts end one after "
        "5 minutes at most; reading the body, a lock in the database and some room come on top."
    ),
    "concurrency": _("PHP-FPM comes with five workers: two stay for the editors."),
    "look_up_every_s": _("A look-up costs the site two to four short reads."),
    "patience_s": _("A site that has been away for an hour needs a person."),
}

PROFILES: Mapping[Guard, DefaultProfile] = {
    Guard.CLIENT_ID: DefaultProfile(
        numbers={**_NUMBERS, "guard": "client_id", "on_new_version": "update_existing"},
        why={
            **_WHY,
            "guard": _(
                "The plugin's unique index allows one post for a marker: eight at once made one, in every round."
            ),
            "look_up": _(
                "The plugin finds a marker whoever wrote the post and whatever its slug and status are."
            ),
            "on_new_version": _("The plugin compares versions in the very statement that saves a draft."),
        },
    ),
    Guard.LOOKUP: DefaultProfile(
        numbers={**_NUMBERS, "guard": "lookup", "check_after_create": True, "on_new_version": "create_new"},
        why={
            **_WHY,
            "guard": _("WordPress gives a second post the slug with “-2”, and under load the same slug."),
            "look_up": _("Posts can be filtered by their slug, in every status and in the trash."),
            "check_after_create": _(
                "Nothing in the database keeps a second post away, so that they are counted."
            ),
            "on_new_version": _(
                "WordPress alone compares nothing: an update would undo what an editor saves or publishes in the same second."
            ),
        },
    ),
}
