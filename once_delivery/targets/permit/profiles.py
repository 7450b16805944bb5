"""What a target that is reached by permits begins with, by how it protects. The numbers are to be fitted to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from once_delivery.common.errors import Text
from once_delivery.targets.default_profile import DefaultProfile
from once_delivery.targets.profile import Consistency, Guard

_DEADLINE = _("The longest that the workflow's own request may take; the permit lasts twice that.")
_SETTLE = _("Ten minutes: what another system sent may be on its way for long after its permit.")
_PATIENCE = _("An hour: then a person is asked, also when the workflow never comes back.")
_COMMON: Mapping[str, Any] = {"deadline_s": 30.0, "settle_s": 600.0, "patience_s": 3600.0}
_WHY: Mapping[str, Text] = {"deadline_s": _DEADLINE, "settle_s": _SETTLE, "patience_s": _PATIENCE}
_ASKED: Mapping[str, Any] = {"look_up": True, "consistency": Consistency.STRONG}
_ASKED_WHY: Mapping[str, Text] = {
    "look_up": _("The workflow can ask the target for the marker and reports what it saw."),
    "consistency": _("Only where the workflow reads the target itself, not an index that lags."),
}

PROFILES: Mapping[Guard, DefaultProfile] = {
    Guard.LOOKUP: DefaultProfile(
        numbers={"guard": "lookup", **_COMMON, **_ASKED},
        why={"guard": _("The workflow finds by the marker what it has made."), **_WHY, **_ASKED_WHY},
    ),
    Guard.IDEMPOTENCY_KEY: DefaultProfile(
        numbers={"guard": "idempotency_key", "window_s": 86400.0, **_COMMON},
        why={
            "guard": _("The target honours the key that each permit hands out."),
            "window_s": _("A day, as most documented windows; take the target's own."),
            **_WHY,
        },
    ),
    Guard.CLIENT_ID: DefaultProfile(
        numbers={"guard": "client_id", **_COMMON},
        why={"guard": _("The target takes the ID that each permit hands out, once."), **_WHY},
    ),
    Guard.NONE: DefaultProfile(
        numbers={"guard": "none", **_COMMON},
        why={"guard": _("Nothing protects: after a lost answer a person decides."), **_WHY},
    ),
}
