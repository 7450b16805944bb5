"""Above the limit one person proposes what a line is for, and another one agrees to what they have read."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from billing.models import Books, CostEntry, LineMatch, LineProposal, SupplierLine
from billing.proposing import NoProposalError
from billing.services.answer_line import Answer, ProposalWaitsError
from billing.services.propose_answer import agree_to_answer, propose_answer
from billing.two_people import SecondPersonNeededError
from once_delivery.accounts.models import Project
from tests.billing.suppliers.files import one
from tests.billing.suppliers.world import a_world, imported
from tests.billing.world import a_keeper
from tests.web.conftest import signed_in

pytestmark = pytest.mark.django_db


def a_costly_line() -> tuple[Project, SupplierLine]:
    project, fal = a_world()
    imported(fal, one(request_id="nobodys", amount="4.00"))
    Books.objects.filter(project=project).update(two_people_above=Decimal(1))
    return project, SupplierLine.objects.get()


def test_nobody_agrees_to_what_has_taken_the_place_of_what_they_read() -> None:
    project, line = a_costly_line()
    first, second = a_keeper(project, "first"), a_keeper(project, "second")
    read = propose_answer(project=project, line=line, answer=Answer.GENERAL, user=first)
    assert isinstance(read, LineProposal)
    seen = read.proposed_at.isoformat()
    with pytest.raises(SecondPersonNeededError):
        agree_to_answer(project=project, line=line, user=first, seen=seen)
    now = propose_answer(project=project, line=line, answer=Answer.CLAIM, claim="C-1", user=first)
    assert isinstance(now, LineProposal)
    before = CostEntry.objects.count()
    with pytest.raises(NoProposalError):
        agree_to_answer(project=project, line=line, user=second, seen=seen)
    assert CostEntry.objects.count() == before
    browser, address = signed_in(second), f"/finance/aurora/lines/{line.match.pk}/"
    told = re.search('name="seen" value="([^"]+)"', browser.get(address).content.decode())
    assert told is not None
    assert browser.post(address, {"act": "agree", "seen": told[1]}).status_code == 302
    done = LineMatch.objects.get()
    assert (done.claim, done.answered_by) == ("C-1", first)


def test_looking_into_a_line_does_not_drop_what_is_proposed_for_it() -> None:
    project, line = a_costly_line()
    first, second = a_keeper(project, "first"), a_keeper(project, "second")
    propose_answer(project=project, line=line, answer=Answer.GENERAL, user=first)
    with pytest.raises(ProposalWaitsError):
        propose_answer(project=project, line=line, answer=Answer.OWNER, owner=second, user=second)
    assert LineProposal.objects.get().answer == "general"
    assert LineMatch.objects.get().owner is None

    browser, address = signed_in(second), f"/finance/aurora/lines/{line.match.pk}/"
    refused = browser.post(address, {"answer": "owner", "owner": "second"})
    assert (refused.status_code, LineProposal.objects.count()) == (422, 1)
    assert "waits for a second person. Agree to it, or withdraw it, first." in refused.content.decode()

    assert browser.post(address, {"act": "withdraw"}).status_code == 302
    assert browser.post(address, {"answer": "owner", "owner": "second"}).status_code == 302
    assert LineMatch.objects.get().owner == second
