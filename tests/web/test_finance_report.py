"""The cost report on a long ledger: it answers first, and asks for its parts when it is shown."""

from __future__ import annotations

import pytest
from django.test import Client as Browser

from once_delivery.accounts.models import Membership, Role, User
from once_delivery.web.selectors.finance import report as selector
from tests.billing.reports.world import september
from tests.web.conftest import signed_in

pytestmark = pytest.mark.django_db
RATIO, A_PART = "244.37", "Control totals"


@pytest.fixture
def keeper() -> Browser:
    project = september().project
    user = User.objects.create(username="keeper")
    Membership.objects.create(user=user, project=project, role=Role.FINANCE)
    return signed_in(user)


def address(browser: Browser, more: str = "") -> str:
    code = Membership.objects.get(user__username="keeper").project.code
    return f"/finance/{code}/?month=2026-09&by=locale{more}"


def test_a_short_report_is_one_page(keeper: Browser) -> None:
    page = keeper.get(address(keeper))
    assert page.context["report"].is_long is False
    html = page.content.decode()
    assert RATIO in html
    assert A_PART in html
    assert "data-lazy" not in html


def test_a_long_report_answers_before_its_parts(keeper: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selector, "AT_ONCE", 0)
    html = keeper.get(address(keeper)).content.decode()
    assert RATIO in html
    assert A_PART not in html
    assert "month=2026-09&amp;by=locale" in html.split('hx-get="')[1].split('"')[0]

    parts = keeper.get(address(keeper), headers={"HX-Request": "true"}).content.decode()
    assert A_PART in parts
    assert "<html" not in parts

    whole = keeper.get(address(keeper, "&parts=all")).content.decode()
    assert RATIO in whole
    assert A_PART in whole
    assert 'name="parts"' not in whole  # choosing another month answers first again


def test_the_parts_are_those_of_a_short_report(keeper: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    short = keeper.get(address(keeper)).context["parts"]
    monkeypatch.setattr(selector, "AT_ONCE", 0)
    assert keeper.get(address(keeper), headers={"HX-Request": "true"}).context["parts"] == short
    assert all(check.agrees for check in short.checks)
