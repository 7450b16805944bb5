"""Above the limit one person proposes what a pair of assets is, and another one agrees to what they have read."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from billing.models import Books, Cause, Duplicate, DuplicateProposal, DuplicateStatus
from billing.pairs import mark_of
from billing.people import NotFinanceError
from billing.proposing import NoProposalError
from billing.services.change_entry import change_entry
from billing.services.decide_duplicate import decide_duplicate
from billing.services.judge_cause import ApprovalMissingError
from billing.services.judge_duplicate import (
    NoSuchDecisionError,
    PairChangedError,
    ProposalDroppedError,
    agree_to_judgement,
    judge_duplicate,
    withdraw_judgement,
)
from billing.two_people import SecondPersonNeededError
from once_delivery.accounts.access import roles_of
from once_delivery.accounts.models import Membership, Project, Role, User
from once_delivery.web.selectors.agreements import count_agreements
from once_delivery.web.selectors.duties import duties_of
from tests.billing.deliveries import accepted, at, delivered, taken_back, tasks_of
from tests.billing.test_units import an_approval, assets, counted
from tests.billing.world import a_keeper, a_project_with_books, posted
from tests.builders import a_user
from tests.web.conftest import signed_in


@pytest.fixture
def project(db: None) -> Project:
    project = a_project_with_books()
    Books.objects.filter(project=project).update(two_people_above=Decimal(5))
    return project


@pytest.fixture
def fay(project: Project) -> User:
    return a_keeper(project, "fay")


@pytest.fixture
def zoe(project: Project) -> User:
    return a_keeper(project, "zoe")


@pytest.fixture
def pair(project: Project) -> Duplicate:
    """Suggested; the second one cost 8.00."""
    first, second = assets(project, "a", "b")
    posted(project, "8.00", task_id=second.task_id, attempt_id=second.action.attempts.get().pk)
    return Duplicate.objects.create(
        project=project, asset=second, survivor=first, status=DuplicateStatus.SUGGESTED, found_at=at(20)
    )


def judged(pair: Duplicate, user: User, **changes: object) -> DuplicateProposal | None:
    values = {"how": "duplicate", "cause": Cause.CLIENT_DUPLICATE, "record": "two SKUs"} | changes
    return judge_duplicate(duplicate=pair, user=user, **values)  # type: ignore[arg-type]


def test_little_is_decided_by_one(project: Project, pair: Duplicate, fay: User) -> None:
    Books.objects.filter(project=project).update(two_people_above=Decimal(8))
    assert judged(pair, fay) is None
    assert counted(project) == [pair.survivor_id]
    assert Duplicate.objects.get(pk=pair.pk).second is None


def test_much_takes_two(project: Project, pair: Duplicate, fay: User, zoe: User) -> None:
    waits = judged(pair, fay)
    assert waits is not None
    assert len(counted(project)) == 2
    seen = waits.proposed_at.isoformat()
    with pytest.raises(SecondPersonNeededError):
        agree_to_judgement(duplicate=pair, user=fay, seen=seen)
    again = judged(pair, fay, cause=Cause.VENDOR_FAULT)
    assert again is not None
    with pytest.raises(NoProposalError):  # another has taken its place since
        agree_to_judgement(duplicate=pair, user=zoe, seen=seen)
    agree_to_judgement(duplicate=pair, user=zoe, seen=again.proposed_at.isoformat())
    pair.refresh_from_db()
    assert (pair.decided_by, pair.second, pair.cause) == (fay, zoe, "vendor_fault")
    assert counted(project) == [pair.survivor_id]
    assert not DuplicateProposal.objects.exists()


def test_taking_a_large_one_out_again_takes_two_as_well(
    project: Project, pair: Duplicate, fay: User, zoe: User
) -> None:
    for how in ("duplicate", "dismiss"):
        waits = judged(pair, fay, how=how)
        assert waits is not None
        agree_to_judgement(duplicate=pair, user=zoe, seen=waits.proposed_at.isoformat())
    assert len(counted(project)) == 2


def test_the_service_itself_does_not_let_one_person_pass(pair: Duplicate, fay: User, zoe: User) -> None:
    said = {"asset": pair.asset, "survivor": pair.survivor, "cause": Cause.DEDUPE_MISS, "record": "seen"}
    with pytest.raises(SecondPersonNeededError):
        decide_duplicate(user=fay, **said)  # type: ignore[arg-type]
    with pytest.raises(NotFinanceError):
        decide_duplicate(user=fay, second=a_user("stranger"), **said)  # type: ignore[arg-type]
    assert decide_duplicate(user=fay, second=zoe, **said).second == zoe  # type: ignore[arg-type]


def test_an_ops_owner_proposes_and_finance_agrees(project: Project, pair: Duplicate, zoe: User) -> None:
    ops = a_user("ops-1")
    Membership.objects.create(project=project, user=ops, role=Role.OPS_OWNER)
    waits = judged(pair, ops)
    assert waits is not None
    other = a_user("ops-2")
    Membership.objects.create(project=project, user=other, role=Role.OPS_OWNER)
    with pytest.raises(NotFinanceError):
        agree_to_judgement(duplicate=pair, user=other, seen=waits.proposed_at.isoformat())
    agree_to_judgement(duplicate=pair, user=zoe, seen=waits.proposed_at.isoformat())
    assert counted(project) == [pair.survivor_id]


def test_what_is_wrong_is_refused_at_once_and_not_proposed(pair: Duplicate, fay: User) -> None:
    with pytest.raises(ApprovalMissingError):
        judged(pair, fay, how="wanted")
    with pytest.raises(NoSuchDecisionError):
        judged(pair, fay, how="perhaps")
    assert not DuplicateProposal.objects.exists()


def test_a_proposal_is_withdrawn(pair: Duplicate, fay: User, zoe: User) -> None:
    judged(pair, fay)
    with pytest.raises(NotFinanceError):
        withdraw_judgement(duplicate=pair, user=a_user("stranger"))
    withdraw_judgement(duplicate=pair, user=zoe)
    assert not DuplicateProposal.objects.exists()


def test_what_was_proposed_of_another_pair_is_dropped(
    project: Project, pair: Duplicate, fay: User, zoe: User
) -> None:
    """Another asset has come to count in the place of the one that the proposal names."""
    waits = judged(pair, fay)
    assert waits is not None
    (task,) = tasks_of(project, ("pot", 1))
    delivered(task, at(3))
    earlier = accepted(task, at(4))
    said = {"cause": Cause.DEDUPE_MISS, "record": "seen", "second": zoe}
    decide_duplicate(asset=pair.survivor, survivor=earlier, user=fay, **said)  # type: ignore[arg-type]
    with pytest.raises(ProposalDroppedError) as told:
        agree_to_judgement(duplicate=pair, user=zoe, seen=waits.proposed_at.isoformat())
    assert "become another one" in told.value.message
    assert DuplicateProposal.objects.get().dropped == "pair"
    assert pair.asset_id in counted(project)
    again = judged(pair, fay)  # what stands there now can be proposed
    assert again is not None
    agree_to_judgement(duplicate=pair, user=zoe, seen=again.proposed_at.isoformat())
    assert counted(project) == [earlier.pk]


def test_what_was_proposed_of_another_amount_is_dropped(pair: Duplicate, fay: User, zoe: User) -> None:
    waits = judged(pair, fay)
    assert waits is not None
    assert waits.amount == Decimal(8)
    posted(pair.project, "0.01", task_id=pair.asset.task_id)
    for _ in range(2):  # and stays so
        with pytest.raises(ProposalDroppedError) as told:
            agree_to_judgement(duplicate=pair, user=zoe, seen=waits.proposed_at.isoformat())
    assert "What the two cost has changed" in told.value.message
    assert DuplicateProposal.objects.get().dropped == "amount"


def test_postgresql_drops_what_was_proposed_when_the_pair_is_decided(pair: Duplicate, fay: User) -> None:
    judged(pair, fay)
    Duplicate.objects.filter(pk=pair.pk).update(status="dismissed")
    assert DuplicateProposal.objects.get().dropped == "pair"


def test_a_page_that_was_opened_before_the_pair_changed_decides_nothing(
    pair: Duplicate, fay: User, zoe: User
) -> None:
    seen = mark_of(pair)
    Books.objects.filter(project=pair.project).update(two_people_above=Decimal(8))
    taken_back(pair.asset, "asked", moment=at(21))
    with pytest.raises(PairChangedError):
        judged(pair, fay, seen=seen)
    assert judged(pair, fay, seen=mark_of(pair)) is None


def read(user: User, pair: Duplicate) -> str:
    return str(signed_in(user).get(page_of(pair)).content.decode())


def page_of(pair: Duplicate) -> str:
    return f"/finance/{pair.project.code}/duplicates/{pair.pk}/"


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]+)"', page)
    assert found is not None
    return found.group(1)


def test_on_the_page(project: Project, pair: Duplicate, fay: User, zoe: User) -> None:
    page = page_of(pair)
    said = {"how": "duplicate", "cause": "client_duplicate", "record": "two SKUs of one picture"}
    said["pair"] = hidden(read(fay, pair), "pair")
    assert signed_in(fay).post(page, said).status_code == 302
    assert "waits for a second person" in signed_in(zoe).get(page.rsplit("/", 2)[0] + "/").content.decode()
    own, others = (read(one, pair) for one in (fay, zoe))
    assert ('value="agree"' in own, "Withdraw" in own, "Do not agree" in own) == (False, True, False)
    assert ("Do not agree" in others, "Withdraw" in others, "8.00" in others) == (True, False, True)
    assert "two SKUs of one picture" in others
    late = signed_in(zoe).post(page, {"act": "agree", "seen": "2026-01-01T00:00:00+00:00"})
    assert (late.status_code, "no such proposal" in late.content.decode()) == (422, True)
    assert signed_in(zoe).post(page, {"act": "agree", "seen": hidden(others, "seen")}).status_code == 302
    assert counted(project) == [pair.survivor_id]
    assert signed_in(fay).post(page, {**said, "how": "perhaps"}).status_code == 422


def test_no_cause_is_chosen_beforehand_and_what_lacks_an_approval_is_not_offered(
    project: Project, pair: Duplicate, fay: User
) -> None:
    Duplicate.objects.filter(pk=pair.pk).update(cause=Cause.DEDUPE_MISS)
    shown = read(fay, pair)
    assert '<select class="input" id="f-cause" name="cause" required><option value="">' in shown
    assert " selected" not in shown
    assert 'value="wanted"' not in shown
    assert "client_confirmed_repeat" not in shown
    an_approval(project)
    assert 'value="wanted"' in read(fay, pair)
    without = {"how": "duplicate", "record": "seen", "pair": mark_of(pair)}
    refused = signed_in(fay).post(page_of(pair), without)
    assert (refused.status_code, "seen</textarea>" in refused.content.decode()) == (422, True)


def test_a_page_of_yesterday_is_refused_and_what_was_typed_stays(
    project: Project, pair: Duplicate, fay: User
) -> None:
    said = {"how": "duplicate", "cause": "vendor_fault", "record": "typed for long", "pair": mark_of(pair)}
    taken_back(pair.asset, "asked", moment=at(21))
    refused = signed_in(fay).post(page_of(pair), said)
    shown = refused.content.decode()
    assert (refused.status_code, "This pair has changed" in shown) == (422, True)
    assert "typed for long</textarea>" in shown
    assert '<option value="vendor_fault" selected>' in shown
    again = signed_in(fay).post(page_of(pair), {**said, "pair": hidden(shown, "pair")})
    assert again.status_code == 302
    assert DuplicateProposal.objects.exists()


def test_a_decided_pair_shows_what_was_decided(project: Project, pair: Duplicate, fay: User) -> None:
    Books.objects.filter(project=project).update(two_people_above=Decimal(8))
    assert "What was decided" not in read(fay, pair)
    judged(pair, fay, record="two SKUs of one picture")
    shown = read(fay, pair)
    decided, form = shown.split("Decide otherwise</summary>")
    assert "two SKUs of one picture" in decided.split("What was decided")[1]
    assert "two SKUs of one picture" not in form  # which begins anew


def test_the_second_person_is_told_at_home_and_in_the_menu(
    project: Project, pair: Duplicate, fay: User, zoe: User
) -> None:
    def told(user: User) -> tuple[int, int]:
        return count_agreements(user, roles_of(user), most=9), len(duties_of(user).agreements)

    assert told(zoe) == (0, 0)
    judged(pair, fay)
    entry = posted(project, "9.00", cause="client_change")
    change_entry(entry=entry, change="reverse", to="", words="billed twice", user=fay)
    assert (told(fay), told(zoe)) == ((0, 0), (2, 2))
    assert told(a_keeper(a_project_with_books("borealis"), "of-another")) == (0, 0)
    home = signed_in(zoe).get("/").content.decode()
    assert "2 proposals of finance wait for you as the second person." in home
    assert page_of(pair) in home
    assert f"/finance/{project.code}/entries/{entry.pk}/" in home
    posted(project, "1.00", task_id=pair.asset.task_id)
    with pytest.raises(ProposalDroppedError):
        agree_to_judgement(
            duplicate=pair, user=zoe, seen=DuplicateProposal.objects.get().proposed_at.isoformat()
        )
    assert told(zoe) == (1, 1)
    assert "Nobody can agree to it any more" in read(zoe, pair)
