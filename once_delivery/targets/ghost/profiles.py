"""What a Ghost site can be relied on for, and why (measured on 6.65.0; README.md of this folder)."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from once_delivery.targets.default_profile import DefaultProfile
from once_delivery.targets.profile import Guard

PROFILES: Mapping[Guard, DefaultProfile] = {
    Guard.LOOKUP: DefaultProfile(
        numbers={
            "guard": "lookup",
            "look_up": True,
            "consistency": "strong",
            "deadline_s": 30,
            "settle_s": 180,
            "concurrency": 3,
            "look_up_every_s": 5,
            "patience_s": 3600,
            "check_after_create": True,
            "on_new_version": "update_existing",
        },
        why={
            "guard": _(
                "Ghost gives a second post the slug with “-2” and says nothing. Eight at once made one post in 39 of 40 "
                "rounds on MariaDB, and two in one of them."
            ),
            "look_up": _(
                "Posts can be filtered by a part of their canonical address and by the beginning of their slug, in every "
                "status and whoever wrote them."
            ),
            "consistency": _("Lists read the database itself, not a search index."),
            "deadline_s": _("Saving a post takes a fraction of a second; the rest is room for a busy site."),
            "settle_s": _(
                "Ghost finishes a request whose caller has gone. It may wait a minute for a connection to the database "
                "and 50 seconds for a lock in it; some room comes on top."
            ),
            "concurrency": _("Ghost is one process for all of its readers and editors."),
            "look_up_every_s": _("A look-up costs the site one or two short reads."),
            "patience_s": _("A site that has been away for an hour needs a person."),
            "check_after_create": _(
                "Nothing in the database keeps a second post away, so that they are counted."
            ),
            "on_new_version": _(
                "Ghost refuses an update of a state that is over; what it cannot tell within one second is waited for."
            ),
        },
    ),
}
