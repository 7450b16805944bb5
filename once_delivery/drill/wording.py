"""Why a verdict is what it is, as sentences in both languages."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WHY: dict[str, str | Promise] = {
    "original-reused": _("The original is reused under its ID; nothing was sent."),
    "found-again": _("The target was asked first and the original was found; nothing was sent."),
    "protected-replay": _(
        "Sent again under the target's protection, which made nothing new; the original ID came back."
    ),
    "person-named": _(
        "The target cannot be asked and has no protection: it stands at “to be reconciled” with a named owner."
    ),
    "performed-once": _("Only this one was performed; its new ID is written to the original task."),
    "duplicate": _("The target holds more than one."),
    "deleted": _("Something was deleted at the target."),
    "original-gone": _("The original is not what the target holds now."),
    "sent-again": _("A create was sent although there was nothing to create."),
    "created-again": _("A second object was created."),
    "ledger-differs": _("The ledger does not name what the target holds."),
    "nobody-told": _("It does not stand at “to be reconciled” with a named owner."),
    "missing": _("The target holds none."),
    "not-set-up": _("The fault did not happen as planned, so this item proves nothing."),
}
GUARDS: dict[str, str | Promise] = {
    "idempotency_key": _("idempotency key"),
    "client_id": _("client-chosen ID"),
    "lookup": _("look-up"),
    "none": _("none"),
}
ROUNDS: dict[str, str | Promise] = {
    "one": _("one recovery"),
    "two": _("two recoveries at once"),
}
