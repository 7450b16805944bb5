"""The keys of every page that has some: shown on the page by ``?`` and, all together, in the help.

A test holds them against the ``data-key`` attributes of the pages, which ``ui/js/keys.js`` obeys.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Keys = Sequence[tuple[str, Promise]]

BATCHES: Keys = (("j k", _("next, previous batch")), ("f", _("to the filters")))
REVIEW_LIST: Keys = (
    ("j k", _("next, previous draft")),
    ("Enter", _("open the draft")),
    ("s", _("choose the draft, or not")),
    ("b", _("to the button that accepts what is chosen")),
)
REVIEW_DRAFT: Keys = (
    ("j k", _("next, previous draft")),
    ("a", _("to “accept and next”; Enter presses it")),
    ("e", _("write why it goes back")),
    ("c", _("write a comment")),
    ("u", _("up to the list")),
)
QUEUE: Keys = (
    ("j k", _("down, up")),
    ("Enter", _("open the case")),
    ("x", _("choose the case, for a plan")),
    ("a", _("hand the case over")),
)
CASE_READING: Keys = (
    ("c", _("comment")),
    ("j k", _("next case, previous case")),
)
CASE: Keys = (
    ("1 – 9", _("choose a candidate")),
    ("m", _("adopt the chosen one")),
    ("x", _("it is not there")),
    ("g", _("give up")),
    ("t", _("send what was refused once more")),
    ("o", _("overwrite what an editor wrote")),
    ("n", _("create anew, where the draft is gone")),
    ("a", _("hand over")),
    ("s", _("put off, with a reason")),
    ("r", _("look again")),
    ("z", _("undo your last step")),
    *CASE_READING,
)
EVERYWHERE: Keys = (
    ("Tab", _("The first stop on each page is “Skip to the content”.")),
    ("/", _("search")),
    ("?", _("the keys of this page")),
    ("Esc", _("closes the sheet of keys")),
)
PAGES: tuple[tuple[Promise, Keys], ...] = (
    (_("Everywhere"), EVERYWHERE),
    (_("Batches"), BATCHES),
    (_("Review: the list"), REVIEW_LIST),
    (_("Review: one draft"), REVIEW_DRAFT),
    (_("Case queue"), QUEUE),
    (_("One case"), CASE),
)
