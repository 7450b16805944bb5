"""Why a verdict is what it is, and what happened to a request, as sentences in both languages."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from once_delivery.vendor_drill.models.drill import Fault

Words = dict[str, str | Promise]

WHY: Words = {
    "reused": _("Created once, its receipt arrived, and it was not sent again."),
    "created-once": _("Created exactly once."),
    "sent-again": _("Sent again, and the target made nothing new of it: its own protection held."),
    "waited": _("The caller waited for the late answer and got it; nothing was sent again."),
    "found-again": _("The target was asked afterwards and showed the original; nothing was sent again."),
    "stopped": _("It stands with a named person, who decides; nothing was sent again."),
    "race-safe": _("Two requests were let go at one moment, and the target holds one."),
    "only-one-asked": _("A second run was started while the first was held, and it did not ask for the same again."),
    "duplicate": _("The target holds more than one."),
    "not-race-safe": _("Two requests at one moment made two."),
    "recreated": _("What was created is gone and stands there anew: created again and deleted."),
    "deleted": _("What was created is gone from the target."),
    "missing": _("The target holds none."),
    "left-unknown": _("After the loss nobody asked the target, and nobody with a name has it: it stays unknown."),
    "not-struck": _("The fault never came to pass, so this item proves nothing."),
    "not-raced": _("No second request came while the first was held, so nothing is proven about two at once."),
    "rest-untouched": _("Nothing else was made, and nothing that stood there before is gone."),
    "strays": _("There are new objects that belong to no item: somebody made them past the proxy, or they are duplicates."),
    "others-deleted": _("Objects that stood there before are gone."),
}  # fmt: skip

# what an item proves, by the fault that strikes it
PROVES: Words = {
    "": _("left alone: must be there once, under its first ID"),
    Fault.ANSWER_LOST: _("created, answer lost: must be found again, or stand with a named person"),
    Fault.ERROR_BEFORE: _("never executed: must be created once"),
    Fault.SLOW_COMMIT: _("created late, after the caller may have given up: must not be created again"),
    Fault.TWO_AT_ONCE: _("asked for twice at once: must be there once"),
}

# what the proxy does, said where a fault is chosen
HAPPENS: Words = {
    Fault.ANSWER_LOST: _("The target's whole answer is read, then the caller's connection is reset."),
    Fault.ERROR_BEFORE: _("The caller is answered with 500; the target never sees the request."),
    Fault.SLOW_COMMIT: _("The request is forwarded late, whether the caller still waits or not."),
    Fault.TWO_AT_ONCE: _("The first request is held until a second one comes, and both go at one moment: the workflow is started twice."),
}  # fmt: skip

# what became of a request, where the status alone does not tell
NOTES: Words = {
    "answer-lost": _("answer withheld, connection reset"),
    "not-forwarded": _("error given, target never asked"),
    "raced": _("let go together with another one"),
    "no-second": _("held; no second one came"),
    "caller-gone": _("the caller had gone"),
    "cut-short": _("cut short"),
    "closed-before": _("the drill was closed before it was let go"),
    "unreachable": _("target not reached"),
}
