"""A page that refuses a form has an address of its own, for whoever sent the form: Back and Reload just show it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client as Browser
from django.utils import timezone

from billing.services.open_books import open_books
from once_delivery.accounts.models import Membership, Project, Role
from once_delivery.ui import answers
from once_delivery.ui.models import AnswerPage
from once_delivery.ui.tasks import forget_answer_pages
from tests.web.conftest import World, signed_in
from tests.web.test_invitation import link_for

SETTINGS = "/projects/aurora/settings/"
NAVIGATES = {"sec-fetch-mode": "navigate"}


def send(browser: Browser, page: str, data: dict[str, Any], *, at: str = "", **headers: str) -> Any:
    """As a browser sends a form of this page."""
    said = NAVIGATES | {"referer": f"http://testserver{page}"} | headers
    return browser.post(at or page.partition("?")[0], data, headers=said)


def show(browser: Browser, address: str) -> Any:
    return browser.get(address, headers=NAVIGATES)


def refused(browser: Browser, page: str, data: dict[str, Any], *, at: str = "") -> str:
    """The address at which the refused form is shown."""
    answer = send(browser, page, data, at=at)
    assert answer.status_code == 303
    assert "no-store" in answer["Cache-Control"]
    return str(answer["Location"])


@dataclass(frozen=True)
class Form:
    """``page``: where it is; ``at``: where it is sent, if not there."""

    role: Role
    page: Callable[[World], str]
    at: str
    data: dict[str, str]
    typed: str
    wrong: str


def case(world: World) -> str:
    return f"/cases/{world.case.uuid}/"


def draft(world: World) -> str:
    return f"/review/{world.action('confirmed').task.uuid}/"


FORMS = [
    Form(
        Role.ADMIN,
        lambda _: SETTINGS,
        "",
        {"name": "", "timezone": "Mars/Olympus", "case_hours": "8"},
        "Mars/Olympus",
        'id="w-name"',
    ),
    Form(
        Role.ADMIN,
        lambda _: "/projects/aurora/invitations/?role=finance",
        "",
        {"email": "no address", "role": "viewer"},
        "no address",
        'id="w-email"',
    ),
    Form(
        Role.OPS_OWNER,
        case,
        "decide/",
        {
            "decision": "adopt",
            "how": "decide",
            "other": "",
            "words": "seen with my own eyes",
            "revision": "0",
        },
        "seen with my own eyes",
        'role="alert"',
    ),
    Form(Role.OPS_OWNER, case, "comment/", {"text": " "}, "", 'role="alert"'),
    Form(Role.MARKETING_LEAD, draft, "links/", {"approver": "Legal", "days": "9999"}, "9999", 'role="alert"'),
    Form(
        Role.FINANCE, lambda _: "/finance/aurora/documents/", "", {"number": "INV-7"}, "INV-7", "is-refused"
    ),
    Form(Role.OPS_OWNER, lambda _: "/batches/import/", "", {"name": "winter"}, "winter", "file-wrong"),
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.role} {form.at or form.wrong}")
def test_a_refused_form_is_a_page_that_can_be_loaded_again(world: World, form: Form) -> None:
    open_books(project=world.project, since=date(2026, 9, 1))
    browser = signed_in(world.people[form.role], confirmed=True)
    page = form.page(world)
    plain = browser.get(page).content.decode()
    at = f"{page}{form.at}" if form.at else page.partition("?")[0]

    address = refused(browser, page, form.data, at=at)

    assert address.startswith(f"{page}{'&' if '?' in page else '?'}answer=")
    for _ in range(2):
        shown = show(browser, address)
        html = shown.content.decode()
        assert shown.status_code == 200
        assert form.typed in html
        assert html.count(form.wrong) > plain.count(form.wrong)
        assert "no-store" in shown["Cache-Control"]
        assert "default-src 'none'" in shown["Content-Security-Policy"]
    # whoever is no browser gets the answer itself
    assert browser.post(at, form.data).status_code in {409, 422}


@pytest.fixture
def admin(world: World) -> Browser:
    return signed_in(world.people[Role.ADMIN], confirmed=True)


@pytest.fixture
def address(admin: Browser) -> str:
    """Of a refused form of the admin."""
    return refused(admin, SETTINGS, {"name": "", "timezone": "Mars/Olympus", "case_hours": "8"})


def is_shown(browser: Browser, address: str) -> bool:
    answer = show(browser, address)
    return answer.status_code == 200 and "Mars/Olympus" in answer.content.decode()


def test_the_form_goes_through_from_there_and_is_over(admin: Browser, address: str, world: World) -> None:
    good = {"name": "Aurora two", "timezone": "Asia/Shanghai", "case_hours": "8"}
    # a form without an address of its own is sent to where the page is shown
    answer = send(admin, address, good, at=address)
    assert (answer.status_code, answer["Location"]) == (302, SETTINGS)
    assert Project.objects.get(pk=world.project.pk).name == "Aurora two"
    back = show(admin, address)
    assert (back.status_code, back["Location"]) == (302, SETTINGS)
    assert "not kept any more" in admin.get(SETTINGS).content.decode()


def test_what_is_refused_again_has_an_address_of_its_own(admin: Browser, address: str) -> None:
    second = send(admin, address, {"name": "", "timezone": "Moon/Crater", "case_hours": "8"}, at=address)
    assert second["Location"] != address
    assert "Moon/Crater" in show(admin, second["Location"]).content.decode()
    assert is_shown(admin, address)


def test_who_else_has_the_address_sees_the_page_as_it_is(world: World, admin: Browser, address: str) -> None:
    person = world.people[Role.ADMIN]
    assert is_shown(admin, address)
    elsewhere = signed_in(person, confirmed=True)  # the same person, in another browser
    assert show(elsewhere, address)["Location"] == SETTINGS
    assert show(signed_in(world.vic), address)["Location"] == SETTINGS
    assert show(Browser(), address)["Location"] == SETTINGS
    for wrong in (f"{SETTINGS}?answer=guess", f"{SETTINGS}?answer=", "//evil.example/?answer=guess"):
        answer = show(admin, wrong)
        assert answer.status_code in {200, 302, 404}
        assert not answer.get("Location", "").startswith("//")
    assert show(admin, address.replace(SETTINGS, "/cases/"))["Location"] == "/cases/"
    assert show(admin, address.replace("?", "?role=x&"))["Location"] == f"{SETTINGS}?role=x"


def test_who_may_not_see_the_page_any_more_does_not_see_it(
    world: World, admin: Browser, address: str
) -> None:
    Membership.objects.filter(user=world.people[Role.ADMIN]).update(role=Role.VIEWER)
    assert show(admin, address).status_code == 403
    Membership.objects.filter(user=world.people[Role.ADMIN]).delete()
    assert show(admin, address).status_code == 404


def test_it_is_kept_for_an_hour_and_swept(admin: Browser, address: str) -> None:
    AnswerPage.objects.update(at=timezone.now() - answers.KEPT_FOR + timedelta(minutes=1))
    forget_answer_pages()
    assert is_shown(admin, address)
    AnswerPage.objects.update(at=timezone.now() - answers.KEPT_FOR)
    assert show(admin, address)["Location"] == SETTINGS
    forget_answer_pages()
    assert not AnswerPage.objects.exists()


def test_nothing_of_it_can_be_read_in_the_database(address: str) -> None:
    row = AnswerPage.objects.get()
    stored = f"{row.token} {row.owner} {row.path}".encode() + bytes(row.sealed)
    token = address.partition("answer=")[2]
    assert [word for word in ("Mars", "settings", token, "<html") if word.encode() in stored] == []


def test_another_language_shows_the_page_anew_and_back_again(admin: Browser, address: str) -> None:
    kept = show(admin, address).content.decode()
    assert 'name="next" value="/projects/aurora/settings/"' in kept  # not the form's own address
    switched = send(admin, address, {"language": "zh-hans", "next": "/"}, at="/preferences/language/")
    assert switched["Location"] == address
    chinese = show(admin, address)
    assert chinese.status_code == 200
    assert 'lang="zh-hans"' in chinese.content.decode()
    assert "Mars/Olympus" not in chinese.content.decode()
    assert "data-refill" in chinese.content.decode()
    send(admin, address, {"language": "en", "next": "/"}, at="/preferences/language/")
    assert is_shown(admin, address)


def test_the_forms_of_a_kept_page_have_a_token_that_holds(world: World) -> None:
    browser = Browser(enforce_csrf_checks=True, headers={"accept-language": "en"})
    browser.force_login(world.alice)

    def token(html: str) -> str:
        return html.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]

    page = case(world)
    first = token(browser.get(page).content.decode())
    data = {"text": " ", "csrfmiddlewaretoken": first}
    where = refused(browser, page, data, at=f"{page}comment/")
    tokens = {token(show(browser, where).content.decode()) for _ in range(2)}
    assert len(tokens) == 2
    for one in tokens:
        answer = send(browser, where, data | {"csrfmiddlewaretoken": one}, at=f"{page}comment/")
        assert answer.status_code == 303


def test_a_form_that_did_nothing_leaves_what_was_refused_before(world: World) -> None:
    """Its token was over: one is led back, and Back still shows the refused form."""
    browser, page = Browser(enforce_csrf_checks=True, headers={"accept-language": "en"}), case(world)
    browser.force_login(world.alice)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', browser.get(page).content.decode())
    assert token is not None
    data, at = {"text": " "}, f"{page}comment/"
    address = refused(browser, page, data | {"csrfmiddlewaretoken": token[1]}, at=at)

    led_back = send(browser, page, data | {"csrfmiddlewaretoken": "another"}, at=at)

    assert (led_back.status_code, led_back["Location"]) == (303, page)
    assert show(browser, address).status_code == 200  # and not led to the page as it is


def test_each_session_keeps_a_few_and_all_together_not_too_many(
    admin: Browser, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = {"name": "", "timezone": "Mars/Olympus", "case_hours": "8"}
    later = [refused(admin, SETTINGS, bad) for _ in range(answers.MOST_OF_ONE)]
    assert not is_shown(admin, address)
    assert all(is_shown(admin, one) for one in later)
    assert AnswerPage.objects.count() == answers.MOST_OF_ONE
    monkeypatch.setattr(answers, "MOST_OF_MEMBERS", answers.MOST_OF_ONE)
    assert send(admin, SETTINGS, bad).status_code == 422
    monkeypatch.undo()
    monkeypatch.setattr(answers, "MOST_BYTES", 1000)
    assert send(admin, SETTINGS, bad).status_code == 422


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-mode": "cors"},
        {"sec-fetch-mode": "same-origin", "hx-request": "true"},
        {"referer": ""},
        {"referer": "https://evil.example/projects/aurora/settings/"},
    ],
)
def test_what_is_no_page_of_ours_gets_the_answer_itself(admin: Browser, headers: dict[str, str]) -> None:
    assert send(admin, SETTINGS, {"name": ""}, **headers).status_code == 422
    assert not AnswerPage.objects.exists()


def test_a_browser_without_tls_says_it_in_another_way(admin: Browser) -> None:
    said = {"upgrade-insecure-requests": "1", "referer": f"http://testserver{SETTINGS}"}
    answer = admin.post(SETTINGS, {"name": ""}, headers=said)
    assert answer.status_code == 303
    shown = admin.get(answer["Location"], headers={"upgrade-insecure-requests": "1"})
    assert 'id="w-name"' in shown.content.decode()


def test_what_is_to_be_said_waits_for_a_page_that_says_it(admin: Browser, address: str) -> None:
    """Done in another tab, say, while this one loads its refused form again."""
    good = {"name": "Aurora two", "timezone": "Asia/Shanghai", "case_hours": "8"}
    assert admin.post(SETTINGS, good).status_code == 302
    assert is_shown(admin, address)
    assert 'class="notes"' in admin.get(SETTINGS).content.decode()
    assert 'class="notes"' not in admin.get(SETTINGS).content.decode()


def test_no_spelling_of_the_address_leads_in_a_circle(admin: Browser, address: str) -> None:
    assert is_shown(admin, address.replace("answer=", "%61nswer="))
    assert show(admin, f"{SETTINGS}?%61nswer=guess")["Location"] == SETTINGS
    assert show(admin, f"{SETTINGS}?answer=guess&answ%65r=guess&x=1")["Location"] == f"{SETTINGS}?x=1"


def test_an_address_of_two_slashes_is_of_this_house(admin: Browser) -> None:
    where = refused(admin, "//elsewhere.example/", {"name": ""}, at=SETTINGS)
    assert where.startswith("/%2Felsewhere.example/?answer=")


# guests: no session, and addresses that are secrets


def test_guests_take_nobodys_place(world: World, admin: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST_OF_GUESTS", 1)
    monkeypatch.setattr(answers, "MOST_OF_MEMBERS", 1)
    said = []
    for _ in range(2):
        guest = Browser()
        guest.get("/sign-in/")
        said.append(send(guest, "/sign-in/", {"username": "alice", "password": "wrong"}).status_code)
    assert said == [303, 422]
    assert send(admin, SETTINGS, {"name": ""}).status_code == 303


def test_a_wrong_password_keeps_the_name_alone(world: World) -> None:
    browser = Browser(headers={"accept-language": "en"})
    page = "/sign-in/?next=/cases/"
    browser.get(page)
    where = refused(browser, page, {"username": "alice", "password": "something-else", "next": "/cases/"})
    html = show(browser, where).content.decode()
    assert "do not belong together" in html
    assert 'value="alice"' in html
    assert 'name="next" value="/cases/"' in html
    assert "something-else" not in html
    other = Browser()
    other.get(page)
    assert show(other, where)["Location"] == page

    right = {"username": "alice", "password": "quite-a-long-one", "next": "/cases/"}
    assert send(browser, where, right, at=where)["Location"] == "/cases/"
    assert not AnswerPage.objects.exists()


def test_a_refused_invitation_leads_back_to_its_link(world: World) -> None:
    link, guest = link_for(world), Browser(headers={"accept-language": "en"})
    guest.get(link)
    where = refused(guest, link, {"username": "newcomer", "password": "short"})
    shown = show(guest, where)
    assert where.startswith(f"{link}?answer=")
    assert 'value="newcomer"' in shown.content.decode()
    assert "noindex" in shown["X-Robots-Tag"]
    assert link.split("/")[2].encode() not in bytes(AnswerPage.objects.get().sealed)


def test_a_wrong_code_of_an_app_is_over_when_a_right_one_came(world: World) -> None:
    """Its page shows the app's secret: the kept one must not outlive the setting up."""
    from django_otp.oath import totp
    from django_otp.plugins.otp_totp.models import TOTPDevice

    browser, page = signed_in(world.alice, confirmed=True), "/second-factor/set-up/"
    browser.get(page)
    where = refused(browser, page, {"code": "000000"})
    assert show(browser, where).status_code == 200
    device = TOTPDevice.objects.get(user=world.alice)
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    answer = send(browser, where, {"code": f"{totp(device.bin_key):06d}"}, at=where)
    assert answer.status_code == 200
    assert not AnswerPage.objects.exists()


@pytest.mark.parametrize("signed", [True, False])
def test_a_path_that_begins_like_anothers_house_leads_to_no_other(world: World, signed: bool) -> None:
    browser = signed_in(world.people[Role.ADMIN]) if signed else Browser()
    answer = browser.get("/", PATH_INFO="//evil.example/", QUERY_STRING="answer=x", headers=NAVIGATES)
    assert (answer.status_code, answer["Location"]) == (302, "/%2Fevil.example/")
