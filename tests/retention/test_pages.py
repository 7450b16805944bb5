"""A forgotten task's pages open and say what was forgotten by which rule; the rule says in numbers what it would do."""

from __future__ import annotations

import pytest
from django.test import Client as Browser
from django.utils import translation

from once_delivery.accounts.models import Role, User
from once_delivery.ledger.models import Batch, Task
from once_delivery.retention.models import ForgettingRule
from once_delivery.retention.rules import rule_of
from once_delivery.retention.services.forget import forget
from once_delivery.review.models import Draft
from once_delivery.review.services.approval_links import make_link
from reconciliation.models import Case
from tests.builders import a_project
from tests.retention.given import WORD, a_person, places_of
from tests.web.conftest import signed_in

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/projects/aurora/forgetting/"
SAYS = {"en": "The content was forgotten", "zh-hans": "内容已于"}


@pytest.fixture(autouse=True)
def _english() -> None:
    translation.activate("en")


@pytest.fixture
def admin(told: Task) -> Browser:
    return signed_in(a_person("boss", Role.ADMIN, told.project), confirmed=True)


@pytest.mark.parametrize("language", sorted(SAYS))
def test_every_page_of_it_says_so(told: Task, language: str) -> None:
    forget(project=a_project(), after_days=30)
    browser = signed_in(a_person("boss", Role.ADMIN, told.project), language=language)

    for path in (f"/tasks/{told.uuid}/", f"/review/{told.uuid}/", f"/cases/{Case.objects.get().uuid}/"):
        answer = browser.get(path)
        html = answer.content.decode()
        assert (path, answer.status_code, SAYS[language] in html, WORD in html) == (path, 200, True, False)
        assert "30" in html
    for path in (
        f"/batches/{Batch.objects.get().uuid}/",
        "/review/?state=all",
        "/review/?state=all&view=grid",
        "/cases/?view=resolved",
        f"/search/?q={WORD}",
    ):
        assert browser.get(path).status_code == 200, path
    html = browser.get(f"/batches/{Batch.objects.get().uuid}/").content.decode()
    assert {"en": "Content forgotten: 1 of 1", "zh-hans": "内容已遗忘"}[language] in html


def test_what_was_decided_about_is_not_read_again(told: Task, admin: Browser) -> None:
    forget(project=a_project(), after_days=30)

    assert "It is not read again" in admin.get(f"/review/{told.uuid}/").content.decode()
    assert Draft.objects.exclude(content={}).count() == 0

    admin.post(f"/review/{told.uuid}/", {"do": "take-back"})
    assert WORD in admin.get(f"/review/{told.uuid}/").content.decode(), (
        "to be decided anew, it is read at the target"
    )


def test_a_guest_reads_that_it_is_over(told: Task, admin: Browser) -> None:
    boss = User.objects.get(username="boss")
    _link, secret = make_link(task=told, approver="Ms. Li", days=3, user=boss)
    forget(project=a_project(), after_days=30)

    html = Browser().get(f"/approve/{secret}/").content.decode()

    assert ("It is not read again" in html, WORD in html) == (True, False)


def test_a_rule_says_what_it_would_do_and_then_holds(told: Task, admin: Browser) -> None:
    assert "Everything is kept." in admin.get("/projects/aurora/settings/").content.decode()

    html = admin.post(PAGE, {"days": "90"}).content.decode()
    assert "1 task: what was sent" in html
    assert "1 uploaded batch file" in html
    assert not ForgettingRule.objects.exists(), "nothing is saved before it was said"

    assert admin.post(PAGE, {"days": "90", "sure": "yes"})["Location"] == PAGE
    rule = rule_of(told.project)
    assert rule is not None
    assert (rule.after_days, rule.set_by.username) == (90, "boss")
    assert places_of(WORD), "that is done by night"
    assert "90 days after the last event" in admin.get("/projects/aurora/settings/").content.decode()

    admin.post(PAGE, {"days": "", "sure": "yes"})
    html = admin.get(PAGE).content.decode()
    assert ("Everything is kept." in html, "90 days after" in html) == (True, True), "with its history"


@pytest.mark.parametrize("days", ["29", "0", "-1", "36501", "many", "30.5", "٣٠", "99999999999999"])
def test_days_that_are_none(told: Task, admin: Browser, days: str) -> None:
    answer = admin.post(PAGE, {"days": days, "sure": "yes"})
    assert (answer.status_code, 'id="w-days"' in answer.content.decode()) == (422, True)
    assert not ForgettingRule.objects.exists()
