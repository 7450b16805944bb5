"""Why: every reason code of plans and events as a sentence that a person reads, in both languages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REASONS: dict[str, str | Promise] = {
    # of a plan (resume.py)
    "confirmed-reuse": _("Confirmed: the original result ID %(result_id)s is used again, nothing is sent."),
    "is-superseded": _("A newer input version takes its place; it was never performed."),
    "is-cancelled": _("Cancelled with evidence; nothing is sent."),
    "being-handled": _("Another run is handling it now."),
    "lease-expired": _("Its sender disappeared; the target is asked first."),
    "job-not-finished": _("The target accepted the job; its result is fetched."),
    "needs-another": _("It waits for the result of: %(slots)s."),
    "target-resting": _("The target did not answer several times in a row; it is left alone for a while."),
    "guard-refuted": _(
        "The probe of %(at)s saw that this target does not do what is claimed of it: %(seen)s "
        "Nothing is sent before a newer probe confirms it."
    ),
    "asked-to-wait": _("The target asked to wait."),
    "refused-try-again": _("The target refused and made nothing; it may be tried again."),
    "never-sent": _("Nothing was ever sent; only this action is performed."),
    "absence-proven": _(
        "The target was asked completely and after the settle time: it is not there. Perform it."
    ),
    "look-first": _("The answer was lost; the target is asked first."),
    "ask-the-target": _("The answer was lost; the target is asked by the marker."),
    "own-id-protects": _("Sending again under our own ID cannot make a second one."),
    "key-protects": _("The target protects this key: sending the same again returns the first result."),
    "not-visible-yet": _("Not visible yet. It may still arrive, so absence proves nothing before then."),
    "protection-over": _("The protection window is over and the target cannot be asked: a person decides."),
    "cannot-be-asked": _("The target cannot be asked and has no protection: a person decides."),
    "job-lost": _("The target had accepted the job and does not know it any more: a person decides."),
    "no-protection": _(
        "Not found, and this target has no protection against a second one: a person decides."
    ),
    "absence-cannot-be-proven": _(
        "Nothing is found, but this target's look-up cannot prove absence: a person decides."
    ),
    "target-cannot-tell": _("The target could not tell for too long (%(code)s): a person decides."),
    "too-many-attempts": _("It was sent too often without a definite answer: a person decides."),
    "person-decides": _("A person decides."),
    "by-permit": _("An outside workflow performs it and asks for a permit first; the house sends nothing."),
    "by-the-house": _("The house performs this one itself; wait for its result."),
    "ledger-restored": _(
        "The database was restored from a backup: it may have been sent since then, so the target is asked first."
    ),
    "restored-while-held": _(
        "The database was restored from a backup in which it waited for a person: it may have been sent since then. "
        "Unless the target has it, a person decides."
    ),
    "restored-cannot-be-asked": _(
        "The database was restored from a backup: it may have been sent since then, and the target cannot be asked. "
        "A person decides."
    ),
    "permit-given": _("Taken by an outside workflow, under a permit."),
    "permit-replay": _("Sent again by an outside workflow under the target's protection."),
    "need-given-up": _("The result that it needs was given up: a person decides."),
    # of events
    "requested": _("Requested."),
    "claimed": _("Taken by a sender."),
    "replay": _("Sent again under the target's protection."),
    "answered": _("The target answered with a result ID."),
    "job-accepted": _("The target accepted the job."),
    "job-finished": _("The job is finished."),
    "job-failed": _("The target says that the job failed."),
    "target-refused": _("The target refused."),
    "answer-unknown": _("The request may have arrived, but there is no readable, definite answer."),
    "says-exists": _("The target says that it has this already; it is asked."),
    "never-left": _("Not a byte left: no connection was opened, or its turn did not come in time."),
    "not-processed": _("The target answered that it did not process the request."),
    "replay-not-answered": _("Sending again told nothing about the first request."),
    "found": _("Found at the target by its marker; the original is used."),
    "found-many": _("The target holds more than one of ours."),
    "looks-alike": _("Something that looks alike is there, without our marker."),
    "late-answer": _("An answer came after its lease was lost; it is kept and used."),
    "late-duplicate": _("A late answer names another object: the target may hold two."),
    "late-after-end": _("A late answer names an object of an action that was already closed."),
    "result-superseded": _("Superseded by a newer input version."),
    "adopted": _("A person adopted an object as the result."),
    "declared-absent": _("A person decided that it is not there."),
    "given-up": _("A person gave it up."),
    "retry-allowed": _("A person allowed another try."),
    "updates-original": _("The draft of the earlier version (%(result_id)s) is updated."),
    "changed-meanwhile": _(
        "Somebody changed the draft since we last saw it: a person decides, with both texts."
    ),
    "original-gone": _("The draft that was to be updated is gone: a person decides."),
    "original-published": _("The draft that was to be updated has been published: a person decides."),
    "original-foreign": _("The object of that ID carries another marker: a person decides."),
    "version-unknown": _("The target does not tell in which state the draft is: a person decides."),
    "duplicate-settled": _("A person has dealt with the two at the target; it is counted again."),
    "created-anew": _("The draft that was to be updated is gone; a person decided to create one of its own."),
    "taken-back": _("A person took their decision back before anything came of it."),
    "held-back": _(
        "A probe saw that this target does not do what is claimed of it. Nothing is sent there before a newer probe "
        "confirms it, or another guard is chosen."
    ),
    "overwritten": _("A person decided that the new version takes the place of what stands there."),
    "file-missing": _("The file that it uploads is not there: a person decides."),
    "payload-reference": _("The result that it refers to cannot be filled in."),
}


def sentence(code: str, params: Mapping[str, object] | None = None) -> str:
    """The sentence for ``code`` in the active language; the code itself when it has none."""
    found = REASONS.get(code)
    if found is None:
        return code
    # an event or a case keeps the code alone: what is not known any more is left out
    return str(found) % defaultdict(lambda: "…", params or {})
