"""What moves much money takes two people."""

from __future__ import annotations

from decimal import Decimal

from django.utils.translation import gettext_noop

from billing.models import Books
from billing.people import must_keep_books
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError


class SecondPersonNeededError(DomainError):
    """One person alone may move only so much."""

    code = "second-person-needed"
    template = gettext_noop("More than %(limit)s needs a second person of finance, who is not you.")


def must_be_agreed(*, project: Project, amount: Decimal, user: User, second: User | None) -> None:
    """``user`` keeps the books; above ``Books.two_people_above`` somebody else who does has agreed.

    Raises NotFinanceError, SecondPersonNeededError.
    """
    must_keep_books(user, project)
    second_must_agree(project=project, amount=amount, user=user, second=second)


def second_must_agree(*, project: Project, amount: Decimal, user: User, second: User | None) -> None:
    """The same for what others than finance may decide too: the second one keeps the books in any case.

    Raises SecondPersonNeededError, and NotFinanceError for the second.
    """
    books = Books.objects.get(project=project)
    if abs(amount) <= books.two_people_above:
        return
    if second is None or second.pk == user.pk:
        raise SecondPersonNeededError(limit=f"{books.two_people_above.normalize():f} {books.currency}")
    must_keep_books(second, project)
