"""What PostgreSQL refuses, as errors with stable codes. Rules of ``billing/sql/rules.sql`` and of the models' constraints."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import DatabaseError, connection, transaction
from django.utils.translation import gettext_noop

from once_delivery.common.errors import DomainError

_SENTENCES = {
    "period_closed": gettext_noop("That month is closed, and takes nothing more."),
    "period_unknown": gettext_noop("There is no such month in the accounts of this project."),
    "period_arrow": gettext_noop("A month is held before it is closed."),
    "other_project": gettext_noop("What an entry names must belong to its project and its task."),
    "reversal_is_whole": gettext_noop("A reversal takes back the whole entry, where it stands."),
    "not_reversible": gettext_noop("This entry cannot be taken back: post a new one that corrects it."),
    "cost_entry_reversed_once": gettext_noop("This entry has been taken back already."),
    "document_adds_up": gettext_noop("What is posted of a document must equal the document's total."),
    "allocation_adds_up": gettext_noop("What is allocated must sum to the amount that is allocated."),
    "transfer_adds_up": gettext_noop("Both sides of a change of bearer must sum to nothing."),
    "cost_entry_sign_of_kind": gettext_noop("An amount of this kind cannot have this sign."),
    "cost_entry_posted_after_origin": gettext_noop("Nothing is posted before the month that it belongs to."),
    "cost_entry_once_a_source": gettext_noop("This has been posted already."),
    "amount_is_multiple": gettext_noop(
        "An amount must be a multiple of the smallest amount of the accounts."
    ),
    "counted_once": gettext_noop("An asset counts as none or as one."),
    "unit_entry_once_a_source": gettext_noop("This has been counted already."),
    "unit_entry_sign_of_reason": gettext_noop("Units are counted as plus one or minus one, by their reason."),
    "unit_entry_posted_after_origin": gettext_noop("Nothing is posted before the month that it belongs to."),
    "pairs_agree": gettext_noop("Two assets are one deliverable or two, whichever pairs say so."),
    "pair_stays": gettext_noop("A pair stays the pair of its two assets."),
    "append_only": gettext_noop("What is posted stays as it is."),
}
_CODES = {
    "cost_entry_reversed_once": "reversed-already",
    "cost_entry_sign_of_kind": "wrong-sign",
    "cost_entry_posted_after_origin": "posted-before-origin",
    "cost_entry_once_a_source": "posted-already",
    "unit_entry_once_a_source": "posted-already",
    "unit_entry_sign_of_reason": "wrong-sign",
    "unit_entry_posted_after_origin": "posted-before-origin",
}
_TOO_LARGE = gettext_noop("An amount is too large to be kept.")


class PostingRefusedError(DomainError):
    """The ledger refuses an entry; nothing was posted. ``code`` is the rule's name."""

    def __init__(self, rule: str) -> None:
        self.code = _CODES.get(rule, rule.replace("_", "-"))
        self.template = _SENTENCES[rule]
        super().__init__()


class AmountTooLargeError(DomainError):
    code = "amount-too-large"
    template = _TOO_LARGE


@contextmanager
def refusals() -> Iterator[None]:
    """All or nothing: what PostgreSQL refuses in between is raised as PostingRefusedError, and undone."""
    try:
        with transaction.atomic(), connection.wrap_database_errors:
            yield
    except DatabaseError as error:
        cause = error.__cause__
        if isinstance(cause, psycopg.errors.NumericValueOutOfRange):
            raise AmountTooLargeError from error
        rule = cause.diag.constraint_name if isinstance(cause, psycopg.Error) else None
        if rule in _SENTENCES:
            raise PostingRefusedError(rule) from error
        raise


def check_sums() -> None:
    """Checks now what PostgreSQL checks at the commit: what was posted adds up. Raises as ``refusals`` maps it."""
    _check_now("billing_balanced, billing_document_posted")


def check_pairs() -> None:
    """The same of pairs: what is one by any of them is said to be two by none."""
    _check_now("billing_pairs_agree")


def _check_now(constraints: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET CONSTRAINTS {constraints} IMMEDIATE")
        cursor.execute(f"SET CONSTRAINTS {constraints} DEFERRED")
