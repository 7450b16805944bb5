"""Words for codes that the floors below keep as codes: kinds of action, guards, answers, what is at the target."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from once_delivery.ledger.resume import Verb
from once_delivery.targets.base import Kind, Outcome, Presence, Verdict
from once_delivery.targets.profile import Guard

Words = str | Promise

KINDS: dict[str, Words] = {
    Kind.CREATE_DRAFT: _("create draft"),
    Kind.UPDATE_DRAFT: _("update draft"),
    Kind.UPLOAD_FILE: _("upload file"),
    Kind.START_JOB: _("start generation job"),
}
PRESENCES: dict[str, Words] = {
    Presence.UNCHECKED: _("by its answer, not counted yet"),
    Presence.PRESENT: _("at the target, exactly one"),
    Presence.DUPLICATE: _("more than one at the target"),
    Presence.TRASHED: _("in the target's trash"),
    Presence.MISSING: _("no longer at the target"),
    Presence.CHANGED: _("changed at the target"),
}
OUTCOMES: dict[str, Words] = {
    Outcome.DONE: _("done, with a result ID"),
    Outcome.ACCEPTED: _("accepted, not finished yet"),
    Outcome.EXISTS: _("the target has this already"),
    Outcome.REFUSED: _("refused, nothing was made"),
    Outcome.NOT_SENT: _("never left"),
    Outcome.NOT_DONE: _("not processed"),
    Outcome.UNKNOWN: _("no readable, definite answer"),
}
FINDINGS: dict[str, Words] = {
    # what a finding of an audit means
    "duplicate": _("More than one object carries the marker of this action."),
    "orphan": _(
        "It carries a marker of ours that the ledger does not know: a restored backup, or another installation."
    ),
    "missing": _("The confirmed object is not at the target any more."),
    "trashed": _("The confirmed object lies in the target's trash."),
    "changed": _("The object was changed at the target since it was confirmed."),
}
TROUBLES: dict[str, Words] = {
    # why what was asked for at a target was not done, where the error itself has no sentence
    "interrupted": _("It was interrupted before its end: its worker stopped. Ask for it again."),
}
VERDICTS: dict[str, Words] = {
    Verdict.FOUND: _("found"),
    Verdict.FOUND_MANY: _("found more than one"),
    Verdict.ABSENT: _("not there"),
    Verdict.CANNOT_TELL: _("cannot tell"),
}
EVENTS: dict[str, Words] = {
    # events beside the changes of state
    "requested": _("Asked for"),
    "decided": _("A person decided"),
    "duplicate.seen": _("More than one of ours was seen"),
    "late.answer": _("An answer came late"),
    "orphan.seen": _("An object that belongs to nothing was seen"),
}
METHODS: dict[str, Words] = {
    "id": _("by its ID"),
    "client-id": _("by our own ID"),
    "marker": _("by its marker"),
    "likeness": _("by likeness"),
    "list": _("in its list"),
    "time-and-content": _("by its time and content"),
    "call": _("waiting for its call"),
}
DRILLS: dict[str, Words] = {
    "running": _("running"),
    "passed": _("passed"),
    "failed": _("not passed"),
    "broken": _("could not be run"),
}
RESOLUTIONS: dict[str, Words] = {
    "adopt": _("An object was adopted as the result."),
    "absent": _("It is not there; it is performed."),
    "give_up": _("It was given up."),
    "retry": _("Another try was allowed."),
    "settle": _("The duplicate was dealt with at the target."),
    "overwrite": _("The new version takes the place of what stood there."),
    "create_anew": _("The new version makes a draft of its own."),
    "closed": _("It was closed."),
    "came-right": _("It came right by itself."),
}
VERBS: dict[Verb, tuple[Words, Words, str]] = {
    # the verb, what it means for the target, and the state whose colour it has
    Verb.REUSE: (pgettext_lazy("plan", "reuse"), _("nothing is sent"), "confirmed"),
    Verb.LOOK_UP: (pgettext_lazy("plan", "look up"), _("reads only"), "uncertain"),
    Verb.REPLAY: (pgettext_lazy("plan", "send again"), _("under the target's protection"), "sending"),
    Verb.WAIT: (pgettext_lazy("plan", "wait"), _("nothing is sent now"), "accepted"),
    Verb.PERFORM: (pgettext_lazy("plan", "perform"), _("one request each"), "planned"),
    Verb.PERSON: (pgettext_lazy("plan", "for a person"), _("not touched by itself"), "reconcile"),
    Verb.NOTHING: (pgettext_lazy("plan", "leave alone"), _("closed"), "superseded"),
}
GUARDS: dict[str, tuple[Words, Words]] = {
    Guard.IDEMPOTENCY_KEY: (
        _("idempotency key"),
        _(
            "The target answers a repeated key with its first result; inside the protection window a second one "
            "cannot come into being."
        ),
    ),
    Guard.CLIENT_ID: (
        _("client-chosen ID"),
        _("We choose the ID, and the target refuses a second object under it: sending again is harmless."),
    ),
    Guard.LOOKUP: (
        _("look-up"),
        _(
            "Our lease keeps our own senders apart, and the marker can be looked up: after a lost answer the target "
            "is asked, and absence counts only after the settle time."
        ),
    ),
    Guard.NONE: (
        _("none"),
        _(
            "Nothing protects this target against a second one: after a lost answer a person decides, and nothing is "
            "sent again by itself."
        ),
    ),
}


def kind_word(kind: str) -> str:
    """The kind of an action."""
    return str(KINDS.get(kind, kind))


def method_words(method: str) -> str:
    """How the target was asked: the parts of ``marker+likeness`` in words."""
    return _now(", ").join(str(METHODS.get(part, part)) for part in method.split("+") if part != "none")


def guard_words(guard: str) -> tuple[str, str]:
    """The guard's name, and in one sentence what it prevents."""
    name, sentence = GUARDS.get(guard, GUARDS[Guard.NONE])
    return str(name), str(sentence)


def actor_word(actor: str) -> str:
    """Who did it: a person's name, or the part of the program."""
    who, _colon, name = actor.partition(":")
    if who == "user":
        return name
    return str(PARTS.get(name, _("the program")))


PARTS: dict[str, Words] = {
    "worker": _("the worker"),
    "resume": _("the resume"),
    "sweep": _("the sweep"),
    "request": _("the batch's import"),
    "drill": _("the drill"),
    "call": _("the service's call"),
    "perform_due": _("the worker"),
}
