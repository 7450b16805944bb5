"""Words of the reconciliation pages: decisions, what they need, how two objects compare, why a case is left out."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from reconciliation.decisions import Decision, Needs
from reconciliation.models import CaseEventKind

DECISIONS: dict[str, Promise] = {
    Decision.ADOPT: pgettext_lazy("decision", "Adopt"),
    Decision.ABSENT: pgettext_lazy("decision", "Not there: perform"),
    Decision.GIVE_UP: pgettext_lazy("decision", "Give up"),
    Decision.RETRY: pgettext_lazy("decision", "Send once more"),
    Decision.OVERWRITE: pgettext_lazy("decision", "Overwrite"),
    Decision.CREATE_ANEW: pgettext_lazy("decision", "Create anew"),
    Decision.SETTLE: pgettext_lazy("decision", "Dealt with: count again"),
}
BUTTONS: dict[str, Promise] = {
    # what the button does, in full
    Decision.ADOPT: _("Adopt the chosen object as the result"),
    Decision.ABSENT: _("It is not there: send one request"),
    Decision.GIVE_UP: _("Close the task without a result"),
    Decision.RETRY: _("Send what was refused once more"),
    Decision.OVERWRITE: _("Overwrite the editor's text with the new version"),
    Decision.CREATE_ANEW: _("Create a draft of its own for the new version"),
    Decision.SETTLE: _("It was dealt with there: count again"),
}
DECISION_KEYS = {
    Decision.ADOPT: "m",
    Decision.ABSENT: "x",
    Decision.GIVE_UP: "g",
    Decision.RETRY: "t",
    Decision.OVERWRITE: "o",
    Decision.CREATE_ANEW: "n",
    Decision.SETTLE: "m",
}
NEEDS: dict[str, Promise] = {
    Needs.NOTHING: _("You decide this alone."),
    Needs.SECOND: _("Needs a second ops owner or an administrator: nobody sends again on one person's word."),
    Needs.CLIENT: _("Needs the client's agreement. The clock stands while the client is waited for."),
}
RISKY = frozenset({Decision.GIVE_UP, Decision.OVERWRITE})
LEFT_OUT: dict[str, Promise] = {
    "other-project": _("It belongs to another project than the first one chosen."),
    "not-yours-to-decide": _("Your role in its project does not decide."),
    "case-closed": _("It has been decided already."),
    "does-not-fit": _("The decision does not fit its state."),
    "approval-needed": _("It needs somebody else's agreement: propose it on its own page."),
    "no-single-candidate": _("The latest look-up did not show exactly one object."),
}
UNDONE_STEPS: dict[str, Promise] = {
    # what one has just done and can undo
    CaseEventKind.HANDED: _("You have just handed this case over."),
    CaseEventKind.SNOOZED: _("You have just put this case off."),
    CaseEventKind.ASKED: _("You have just proposed this; nobody has answered yet."),
    CaseEventKind.DECIDED: _("You have just decided this; nothing has come of it yet."),
}
SENT_SOON = _(
    "You have just let it be sent once more: undo works until it goes, which may be within a second."
)
OUTCOMES: dict[str, Promise] = {
    "decided": pgettext_lazy("bulk", "decided"),
    "": pgettext_lazy("bulk", "not yet"),
    "case-changed": _("skipped: it changed since the plan"),
    "case-closed": _("skipped: somebody decided it before"),
    "changed-meanwhile": _("skipped: its action changed since the plan"),
    "decision-does-not-fit": _("skipped: the decision does not fit any more"),
    "approval-needed": _("skipped: it needs somebody else's agreement now"),
    "not-yours-to-decide": _("skipped: your role does not decide any more"),
    "result-taken": _("skipped: the object is the result of another task"),
}
EVENT_ICONS: dict[str, tuple[str, str]] = {
    # what was done, its icon, and the state whose colour it has
    CaseEventKind.OPENED: ("reconcile", "reconcile"),
    CaseEventKind.HANDED: ("send", "sending"),
    CaseEventKind.SNOOZED: ("clock", ""),
    CaseEventKind.COMMENTED: ("answer", ""),
    CaseEventKind.LOOKED: ("eye", ""),
    CaseEventKind.ASKED: ("answer", "uncertain"),
    CaseEventKind.APPROVED: ("check", "confirmed"),
    CaseEventKind.DENIED: ("x", "refused"),
    CaseEventKind.WITHDRAWN: ("cancelled", "cancelled"),
    CaseEventKind.VOID: ("cancelled", "cancelled"),
    CaseEventKind.DECIDED: ("confirmed", "confirmed"),
    CaseEventKind.UNDONE: ("x", ""),
    CaseEventKind.TOLD: ("warn", "uncertain"),
}


def decision_word(decision: str) -> str:
    """The name of a decision."""
    return str(DECISIONS.get(decision, decision))
