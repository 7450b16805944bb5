"""What moves much money takes two people."""

from __future__ import annotations

from decimal import Decimal

from django.utils.translation import gettext_noop

from billing.models import Books
from billing.money import written
from billing.people import must_keep_books
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError


class SecondPersonNeededError(DomainError):
    """One person alone may move only so much."""

    code = "second-person-needed"
    template = gettext_noop("More than %(limit)s needs a second person of finance, who is not you.")


def second_must_agree(*, project: Project, amount: Decimal, user: User, second: User | None) -> None:
    """Above ``Books.two_people_above`` somebody else than ``user`` who keeps the books has agreed.

    Asked after all else was done, in the transaction that this undoes: nothing is proposed to a second person that would
    be refused when they agree.

    Raises SecondPersonNeededError, and NotFinanceError for the second.
    """
    books = Books.objects.get(project=project)
    if abs(amount) <= books.two_people_above:
        return
    if second is None or second.pk == user.pk:
        raise SecondPersonNeededError(limit=f"{written(books.two_people_above)} {books.currency}")
    must_keep_books(second, project)
