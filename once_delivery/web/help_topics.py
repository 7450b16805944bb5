"""The topics of the help, in the order of its first page, and which addresses each one explains.

A topic's text lies in ``templates/help/<language>/<topic>.html``, once for each language.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

LANGUAGES = ("en", "zh-hans")


@dataclass(frozen=True, slots=True)
class Topic:
    """One page of the help."""

    key: str
    word: Promise
    says: Promise  # in one line, on the first page
    addresses: frozenset[str] = frozenset()  # names, within "web:" unless another space is named


def _topic(key: str, word: Promise, says: Promise, addresses: str = "") -> Topic:
    return Topic(key, word, says, frozenset(addresses.split()))


BASICS: tuple[Topic, ...] = (
    _topic("words", _("Words"), _("What batch, task, action, marker, case and the others mean.")),
    _topic("marks", _("States and once-marks"), _("How to read a chip, and the two discs.")),
    _topic("keys", _("Keyboard keys"), _("Every key, page by page.")),
)
SCREENS: tuple[Topic, ...] = (
    _topic("home", _("Home"), _("What waits for you, oldest first."), "home"),
    _topic("batches", _("Batches"), _("Software runs beside deliveries: two truths."), "batches batch"),
    _topic("resume", _("Resuming a batch"), _("Look first, then do only what is missing."), "resume"),
    _topic("task", _("Task"), _("One deliverable with its whole story."), "task"),
    _topic(
        "import",
        _("Import"),
        _("A file is tried first; nothing goes in by half."),
        "import import-file import-apply",
    ),
    _topic(
        "search",
        pgettext_lazy("noun", "Search"),
        _("By result ID, marker, title, or outside execution ID."),
        "search",
    ),
    _topic(
        "review",
        _("Review"),
        _("Accept, ask for changes, reject; and a link for the client."),
        "review review-plan review-start review-run review-undo review-task review-comment review-links review-taken-back",
    ),
    _topic(
        "cases",
        _("Case queue"),
        _("What needs a person: owner, due time, many at once."),
        "cases bulk bulk-plan",
    ),
    _topic(
        "case",
        _("Deciding a case"),
        _("The evidence, and what each decision does."),
        "case case-decide case-answer case-hand-over case-put-off case-comment case-undo case-withdraw approvals",
    ),
    _topic(
        "targets",
        _("Targets"),
        _("What a target claims, and what was measured."),
        "targets target target-new target-edit target-check target-probe",
    ),
    _topic(
        "audits",
        _("Audits and findings"),
        _("The target's inventory against the ledger."),
        "audits audit finding",
    ),
    _topic("drills", _("Acceptance drill"), _("What the drill breaks, counts and proves."), "drill:"),
    _topic(
        "vendors",
        _("Drills of vendors"),
        _("Break any vendor's workflow on purpose, then count what it left."),
        "vendor_drill:",
    ),
    _topic(
        "costs",
        _("Cost report"),
        _("What an accepted, non-duplicate asset costs, and every figure down to its entry."),
        "books finance finance-assets finance-entries finance-entry finance-table finance-exports",
    ),
    _topic(
        "documents",
        _("Suppliers' documents"),
        _("Bills are tried first, matched line by line, and posted to their total."),
        "finance-documents finance-document finance-sent finance-queue finance-line finance-rates",
    ),
    _topic(
        "months",
        _("Months and duplicates"),
        _("Closing a month, corrections, and which asset counts."),
        "finance-periods finance-period finance-duplicates finance-duplicate",
    ),
    _topic(
        "quotes",
        _("Terms and quotes"),
        _("What a fee includes, who bears what, and vendors side by side."),
        "finance-terms finance-scopes finance-scope",
    ),
    _topic(
        "people",
        _("Members and invitations"),
        _("Who may do what."),
        "projects project members member owners invitations",
    ),
    _topic("tokens", _("API tokens"), _("For programs: shown once, bound to one project."), "tokens"),
    _topic(
        "project",
        _("Settings of a project"),
        _("Second factor, working hours, notices."),
        "project-settings forgetting hours routes outbox",
    ),
    _topic(
        "account",
        _("Your account"),
        _("Password, second factor, browsers, language."),
        "account email password own-factor visits second-factor-setup confirm",
    ),
)
TOPICS: tuple[Topic, ...] = BASICS + SCREENS
BY_KEY = {topic.key: topic for topic in TOPICS}
HELP = frozenset({"web:help", "web:help-topic"})


def topic_of(view_name: str) -> Topic | None:
    """The topic that explains the page of this address; None where none does."""
    space, _colon, name = view_name.partition(":")
    for topic in SCREENS:
        if (name in topic.addresses and space == "web") or f"{space}:" in topic.addresses:
            return topic
    return None
