from __future__ import annotations

from decimal import Decimal

import pytest

from billing.models import Books, Cause, CostEntry, EntryProposal
from billing.proposing import NoProposalError
from billing.services.change_entry import (
    NoSuchChangeError,
    NothingToJudgeError,
    agree_to_change,
    change_entry,
    withdraw_change,
)
from billing.services.judge_cause import RecordNeededError, judge_cause
from billing.services.save_limits import save_limits
from billing.two_people import SecondPersonNeededError
from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError, InvalidInputError
from tests.billing.deliveries import at, delivered, tasks_of
from tests.billing.test_units import an_approval
from tests.billing.world import a_keeper, by, posted
from tests.web.conftest import signed_in


@pytest.fixture
def fay(project: Project) -> User:
    return a_keeper(project, "fay")


def test_one_person_takes_a_small_entry_back_on_a_record(project: Project, fay: User) -> None:
    entry = posted(project, "4.00")
    with pytest.raises(RecordNeededError):
        change_entry(entry=entry, change="reverse", to="", words=" ", user=fay)
    assert change_entry(entry=entry, change="reverse", to="", words="typed twice", user=fay) is None
    assert sum(CostEntry.objects.values_list("amount", flat=True)) == 0


def test_much_takes_a_second_person_who_agrees_to_what_they_read(project: Project, fay: User) -> None:
    Books.objects.filter(project=project).update(two_people_above=Decimal(3))
    entry, zoe = posted(project, "4.00"), a_keeper(project, "zoe")
    first = change_entry(entry=entry, change="bearer", to="vendor", words="letter", user=fay)
    waits = change_entry(entry=entry, change="bearer", to="vendor", words="letter of May", user=fay)
    assert first is not None
    assert waits is not None
    assert by(project, "bearer") == {"client": Decimal("4.00")}
    with pytest.raises(NoProposalError):  # another has taken its place
        agree_to_change(entry=entry, user=zoe, seen=first.proposed_at.isoformat())
    with pytest.raises(SecondPersonNeededError):  # nobody agrees with themselves
        agree_to_change(entry=entry, user=fay, seen=waits.proposed_at.isoformat())
    assert EntryProposal.objects.filter(entry=entry).exists()
    agree_to_change(entry=entry, user=zoe, seen=waits.proposed_at.isoformat())
    assert by(project, "bearer") == {"vendor": Decimal("4.00")}
    assert not EntryProposal.objects.exists()


@pytest.mark.parametrize(
    ("change", "to", "code"),
    [
        ("reverse", "", "not-reversible"),
        ("give_up", "", "no-claim"),
        ("bearer", "vendor", "not-transferable"),
    ],
)
def test_what_would_be_refused_is_not_proposed(
    project: Project, fay: User, change: str, to: str, code: str
) -> None:
    entry = posted(project, "4.00")
    change_entry(entry=entry, change="reverse", to="", words="typed twice", user=fay)
    Books.objects.filter(project=project).update(two_people_above=Decimal(3))
    reversal = CostEntry.objects.get(kind="reversal")
    with pytest.raises(DomainError) as refused:
        change_entry(entry=reversal, change=change, to=to, words="once more", user=fay)
    assert refused.value.code == code
    with pytest.raises(DomainError) as again:
        change_entry(entry=entry, change="reverse", to="", words="once more", user=fay)
    assert again.value.code == "reversed-already"
    assert not EntryProposal.objects.exists()
    assert CostEntry.objects.count() == 2


def test_a_proposal_is_withdrawn(project: Project, fay: User) -> None:
    Books.objects.filter(project=project).update(two_people_above=Decimal(3))
    entry = posted(project, "4.00")
    change_entry(entry=entry, change="reverse", to="", words="wrong", user=fay)
    withdraw_change(entry=entry, user=fay)
    assert not EntryProposal.objects.exists()


@pytest.mark.parametrize(
    ("change", "to", "refused"),
    [
        ("bearer", "me", NoSuchChangeError),
        ("cause", "nothing", NoSuchChangeError),
        ("delete", "", NoSuchChangeError),
        ("cause", "vendor_fault", NothingToJudgeError),
    ],
)
def test_what_is_no_change(
    project: Project, fay: User, change: str, to: str, refused: type[Exception]
) -> None:
    with pytest.raises(refused):
        change_entry(entry=posted(project), change=change, to=to, words="why", user=fay)


def test_the_limits_are_finances(project: Project, fay: User) -> None:
    save_limits(
        project=project,
        user=fay,
        typed={"two_people_above": "50.5", "undetermined_limit": "2", "minimum_n": "3"},
    )
    books = Books.objects.get(project=project)
    assert (books.two_people_above, books.undetermined_limit, books.minimum_n) == (
        Decimal("50.5"),
        Decimal(2),
        3,
    )
    with pytest.raises(InvalidInputError):
        save_limits(project=project, user=fay, typed={"two_people_above": "-1", "minimum_n": "x"})


def test_that_the_client_confirmed_a_repeat_needs_the_clients_approval(project: Project, fay: User) -> None:
    task = tasks_of(project, ("kettle", 1))[0]
    attempt = delivered(task, at(3))
    entry = posted(
        project, "4.00", task_id=task.pk, attempt_id=attempt.pk, cause="vendor_fault", bearer="vendor"
    )
    page = f"/finance/{project.code}/entries/{entry.pk}/"
    asked = {"change": "cause", "cause": "client_confirmed_repeat", "words": "they know of it"}
    for limit in (1000, 3):  # by one person alone, and to be proposed
        Books.objects.filter(project=project).update(two_people_above=Decimal(limit))
        refused = signed_in(fay).post(page, asked)
        assert (refused.status_code, "needs the client&#x27;s approval" in refused.content.decode()) == (
            422,
            True,
        )
    assert '<option value="client_confirmed_repeat"' not in signed_in(fay).get(page).content.decode()
    assert by(project, "bearer") == {"vendor": Decimal("4.00")}
    assert not EntryProposal.objects.exists()
    approval = an_approval(project)
    judge_cause(
        project=project,
        about=attempt,
        cause=Cause.CLIENT_CONFIRMED_REPEAT,
        record="mail",
        user=fay,
        second=a_keeper(project, "zoe"),
        approval=approval,
    )
    assert by(project, "bearer", "cause") == {("client", "client_confirmed_repeat"): Decimal("4.00")}
    newest = CostEntry.objects.latest("seq")
    told = signed_in(fay).get(f"/finance/{project.code}/entries/{newest.pk}/").content.decode()
    assert '<option value="" selected>' in told  # nothing else is chosen beforehand
