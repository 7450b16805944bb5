"""A form that was refused: what was typed and what is wrong, with Back and Reload as everywhere; and a session that ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Request

from billing.models import Terms
from billing.services.open_books import open_books
from once_delivery.accounts.models import Role, User
from reconciliation.models import CaseEvent
from tests.browser.conftest import NewVisitor
from tests.browser.visitor import Visitor
from tests.web.conftest import World, world  # noqa: F401 -- the world of the pages' own tests
from tests.web.uploads import GOOD

pytestmark = pytest.mark.real

PASSWORD = "quite-a-long-one"


@dataclass(frozen=True)
class Form:
    """``sent_wrong`` and ``mended`` press the button; ``kept``: a field and what was typed there; ``done``: seen afterwards."""

    role: Role
    page: Callable[[World], str]
    sent_wrong: Callable[[Visitor], None]
    wrong: str
    kept: tuple[str, str]
    mended: Callable[[Visitor], None]
    done: str


def fills(button: str, **values: str) -> Callable[[Visitor], None]:
    def act(person: Visitor) -> None:
        for place, text in values.items():
            person.page.locator(f"#{place.replace('__', '-')}").fill(text)
        person.page.locator(button).click()

    return act


def puts_off(until: str) -> Callable[[Visitor], None]:
    def act(person: Visitor) -> None:
        if not person.page.locator("#put-off[open]").count():
            person.page.locator("#put-off summary").click()
        # the browser would not let it pass
        person.page.locator("#until").evaluate("one => { one.min = one.max = ''; }")
        person.page.locator("#until").fill(until)
        person.page.locator("#reason").fill("Their office is shut.")
        person.page.locator("#put-off form button").click()

    return act


def adopts(result_id: str) -> Callable[[Visitor], None]:
    def act(person: Visitor) -> None:
        for candidate in person.page.locator("[data-pick]").all():
            candidate.evaluate("one => { one.checked = false; }")
        person.page.locator("#other").fill(result_id)
        person.page.locator("#words-adopt").fill("Seen there, with our title.")
        person.page.locator("#do-adopt").click()

    return act


def imports(file: bool) -> Callable[[Visitor], None]:
    def act(person: Visitor) -> None:
        person.page.locator("#name").fill("winter")
        if file:
            person.page.locator("#file").set_input_files(
                {"name": "winter.csv", "mimeType": "text/csv", "buffer": GOOD}
            )
        person.page.locator("form.import .btn--main").click()

    return act


SAVE = "#main form.panel .btn--main"
FORMS = {
    "settings": Form(
        Role.ADMIN,
        lambda _: "/projects/aurora/settings/",
        fills(SAVE, f__name="", f__case_hours="7"),
        "#f-name[aria-invalid]",
        ("#f-case_hours", "7"),
        fills(SAVE, f__name="Aurora two"),
        ".notes",
    ),
    "invitation": Form(
        Role.ADMIN,
        lambda _: "/projects/aurora/invitations/?role=finance",
        fills("#main form.panel .btn--main", f__email="no address"),
        "#f-email[aria-invalid]",
        ("#f-email", "no address"),
        fills("#main form.panel .btn--main", f__email="new@example.com"),
        ".once-only__secret",
    ),
    "terms": Form(
        Role.FINANCE,
        lambda _: "/finance/aurora/terms/",
        fills("#main form.panel:has(#f-valid_from) .btn--main", f__output_fee="many", f__client_rounds="3"),
        "#f-output_fee[aria-invalid]",
        ("#f-client_rounds", "3"),
        fills("#main form.panel:has(#f-valid_from) .btn--main", f__output_fee="120"),
        ".notes",
    ),
    "put a case off": Form(
        Role.OPS_OWNER,
        lambda here: f"/cases/{here.case.uuid}/",
        puts_off("2020-01-01T10:00"),
        "#put-off-wrong",
        ("#reason", "Their office is shut."),
        puts_off(f"{timezone.localtime() + timedelta(days=2):%Y-%m-%dT10:00}"),
        ".notes",
    ),
    "decide a case": Form(
        Role.OPS_OWNER,
        lambda here: f"/cases/{here.case.uuid}/",
        adopts(""),
        "#wrong-adopt",
        ("#words-adopt", "Seen there, with our title."),
        adopts("8117"),
        ".notes",
    ),
    "import": Form(
        Role.OPS_OWNER,
        lambda _: "/batches/import/",
        imports(file=False),
        "#file-wrong",
        ("#name", "winter"),
        imports(file=True),
        'form[action$="/apply/"]',
    ),
}


def signed_in(visitor: NewVisitor, user: User) -> Visitor:
    user.set_password(PASSWORD)
    user.save()
    return visitor(user.username, PASSWORD)


def posts_of(person: Visitor) -> list[str]:
    """What is sent by POST from now on, but for what a script tells behind the page."""
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.method == "POST" and request.is_navigation_request():
            sent.append(request.url)

    person.page.on("request", note)
    return sent


@pytest.mark.parametrize("name", FORMS)
def test_back_and_reload_after_a_refused_form(world: World, visitor: NewVisitor, name: str) -> None:  # noqa: F811
    open_books(project=world.project, since=date(2026, 9, 1))
    form = FORMS[name]
    page = form.page(world)
    person = signed_in(visitor, world.people[form.role])
    person.go(page)
    field, typed = form.kept

    form.sent_wrong(person)
    person.page.locator(form.wrong).wait_for()
    assert person.page.locator(field).input_value() == typed

    sent = posts_of(person)
    person.page.reload()
    person.page.locator(form.wrong).wait_for()
    assert person.page.locator(field).input_value() == typed
    assert sent == []

    form.mended(person)
    person.page.locator(form.done).first.wait_for()
    sent.clear()
    person.goes_back(page)
    person.goes_back(page)
    assert person.page.locator(form.wrong).count() == 0
    assert sent == []


def test_another_language_while_a_refused_form_is_shown(world: World, visitor: NewVisitor) -> None:  # noqa: F811
    person = signed_in(visitor, world.people[Role.ADMIN])
    person.go("/projects/aurora/settings/")
    FORMS["settings"].sent_wrong(person)
    person.page.locator("#f-name[aria-invalid]").wait_for()
    person.language = other = "en" if person.language == "zh-hans" else "zh-hans"
    person.page.locator(f'.rail button[name="language"][value="{other}"]').click()
    person.sees("The page is shown anew. Send the form again to read what is wrong with it.")
    assert person.page.locator("#f-case_hours").input_value() == "7"
    assert person.page.locator("#f-name").input_value() == ""
    person.page.locator(SAVE).click()
    person.page.locator("#f-name[aria-invalid]").wait_for()


# a session that ends in the middle of a form

LONG = "Their editor says that both were made by hand.\n" * 40


def types_a_comment(person: Visitor, world: World) -> None:  # noqa: F811
    person.go(f"/cases/{world.case.uuid}/")
    person.page.locator("#text").fill(LONG)
    Session.objects.all().delete()
    person.page.locator("#comment button").click()
    person.waits_for("/sign-in/")


def test_what_was_typed_comes_back_after_the_session_ended(world: World, visitor: NewVisitor) -> None:  # noqa: F811
    person = signed_in(visitor, world.alice)
    types_a_comment(person, world)
    assert not CaseEvent.objects.filter(kind="commented").exists()

    person.sign_in("alice", PASSWORD)
    person.waits_for(f"/cases/{world.case.uuid}/")
    person.sees("What you had typed stands in its fields again; files and passwords do not.")
    assert person.page.locator("#text").input_value() == LONG
    assert not CaseEvent.objects.filter(kind="commented").exists()
    assert person.page.evaluate("sessionStorage.length") == 0
    person.page.reload()
    assert person.page.locator("#text").input_value() == ""


def test_what_was_typed_comes_back_after_signing_in_anew_in_another_tab(
    world: World,  # noqa: F811
    visitor: NewVisitor,
) -> None:
    person = signed_in(visitor, world.alice)
    first = person.page
    person.go(f"/cases/{world.case.uuid}/")
    first.locator("#text").fill(LONG)
    Session.objects.all().delete()
    person.page = person.context.new_page()
    person.sign_in("alice", PASSWORD)
    person.page = first
    first.locator("#comment button").click()
    person.sees("The form had expired, so nothing was done. Do it again here.")
    assert first.locator("#text").input_value() == LONG
    assert not CaseEvent.objects.filter(kind="commented").exists()


def test_nobody_else_sees_what_was_typed(world: World, visitor: NewVisitor) -> None:  # noqa: F811
    other = world.people[Role.ADMIN]
    other.set_password(PASSWORD)
    other.save()
    person = signed_in(visitor, world.alice)
    types_a_comment(person, world)

    person.sign_in(other.username, PASSWORD)
    person.waits_for(f"/cases/{world.case.uuid}/")
    assert person.page.locator("#text").input_value() == ""
    assert person.page.evaluate("sessionStorage.length") == 0


def test_choices_and_ticks_come_back_and_passwords_do_not(world: World, visitor: NewVisitor) -> None:  # noqa: F811
    open_books(project=world.project, since=date(2026, 9, 1))
    person = signed_in(visitor, world.people[Role.FINANCE])
    person.go("/finance/aurora/terms/")
    page = person.page
    page.locator("#f-client_rounds").fill("9")
    page.locator("#f-non_yield_by").select_option("direct_cost")
    ticked = page.locator('input[name="needs_approval"]').first
    before = ticked.is_checked()
    ticked.set_checked(not before)
    Session.objects.all().delete()
    page.locator("#main form.panel:has(#f-valid_from) .btn--main").click()
    kept = page.evaluate("JSON.stringify(sessionStorage)")
    assert "csrfmiddlewaretoken" not in kept
    person.sign_in(world.people[Role.FINANCE].username, PASSWORD)
    person.waits_for("/finance/aurora/terms/")
    assert page.locator("#f-client_rounds").input_value() == "9"
    assert page.locator("#f-non_yield_by").input_value() == "direct_cost"
    assert ticked.is_checked() is not before
    assert not Terms.objects.filter(client_rounds=9).exists()


def test_what_was_typed_is_kept_no_longer_than_it_is_needed(world: World, visitor: NewVisitor) -> None:  # noqa: F811
    person = signed_in(visitor, world.alice)
    person.go(f"/cases/{world.case.uuid}/")
    person.page.locator("#text").fill("Asked their editor.")
    person.page.locator("#comment button").click()
    person.page.locator(".notes").wait_for()
    assert person.page.evaluate("sessionStorage.length") == 0
