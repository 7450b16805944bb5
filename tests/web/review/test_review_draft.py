"""One draft: shown as the target holds it and made harmless, decided about as it was shown, or not at all."""

from __future__ import annotations

import re

import pytest
from django.test import Client as Browser

from once_delivery.accounts.models import Role
from once_delivery.ledger.models import Action, InputVersion, Task
from once_delivery.review.models import Asset, Comment, Draft, Review
from once_delivery.review.services import fetch_image
from once_delivery.targets.base import Look, Verdict
from once_delivery.targets.models import Target
from once_delivery.web.selectors.image_claims import image_claim
from tests.fakes.connector import FakeConnector, FakeTarget
from tests.web.conftest import World, signed_in
from tests.web.pages import read
from tests.web.review.given import address, edit, opened
from tests.web.test_policy import problems

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 40


def html_of(browser: Browser, task: Task, query: str = "") -> str:
    return browser.get(f"{address(task)}{query}").content.decode()


def decide(browser: Browser, task: Task, do: str, **more: object) -> tuple[int, str]:
    data = {"do": do, "content_hash": opened(browser, address(task)), **more}
    answer = browser.post(address(task), data)
    return answer.status_code, answer.get("Location", "")


def test_the_draft_beside_its_brief(browser: Browser, tasks: list[Task]) -> None:
    html = html_of(browser, tasks[0])
    for said in ("Der Topf pot de-DE", "<p>Ein Schwanenhals, <b>der</b> hört.</p>", "· 0.6 litres", "周舟"):
        assert said in html
    assert "alert(1)" not in html
    assert problems(html) == []


def test_the_words_that_changed_are_marked(browser: Browser, tasks: list[Task], fake: FakeTarget) -> None:
    decide(browser, tasks[0], "accept")
    edit(fake, tasks[0], body="<p>Ein Schwanenhals, der singt.</p>")
    html = html_of(browser, tasks[0])
    assert re.search(r"<del>.*hört.*</del>", html)
    assert re.search(r"<ins>.*singt.*</ins>", html)
    assert "the draft that was decided about last" in html
    assert "accepted, but changed since" in html
    assert "<p>Ein Schwanenhals, der singt.</p>" in html_of(browser, tasks[0], "?show=whole")


def test_what_changed_in_the_brief(browser: Browser, tasks: list[Task], world: World) -> None:
    """A newer version of the product, and the task of it."""
    old = tasks[0].input_version
    newer = InputVersion.objects.create(
        project=world.project,
        product=old.product,
        number=2,
        content={"points": ["0.6 litres", "three years"], "tone": "calm"},
        fingerprint="f" * 64,
        approved_by="周舟",
        approved_at=old.approved_at,
    )
    task = Task.objects.create(
        project=world.project,
        product=old.product,
        locale="de-DE",
        purpose="product-page",
        input_version=newer,
    )
    html = html_of(browser, task)
    assert "Against v1, 1 part is different" in html
    assert re.search(r"<del>.*two.*</del><ins>.*three.*</ins>", html)
    assert "has no confirmed draft to review" in html


def test_accepting_goes_on_to_the_next_and_can_be_undone(browser: Browser, tasks: list[Task]) -> None:
    status, goal = decide(browser, tasks[0], "accept-next")
    assert (status, goal) == (302, f"{address(tasks[1])}?just={tasks[0].uuid}")
    html = browser.get(goal).content.decode()
    assert "Undo" in html
    data = {"do": "take-back", "next": address(tasks[1])}
    assert browser.post(address(tasks[0]), data)["Location"] == address(tasks[1])
    assert Asset.objects.filter(withdrawn_at=None).count() == 0


def test_the_last_one_leads_back_to_the_list(browser: Browser, tasks: list[Task]) -> None:
    data = {"do": "accept-next", "content_hash": opened(browser, address(tasks[2]))}
    answer = browser.post(f"{address(tasks[2])}?locale=fr-FR", data)
    assert answer["Location"] == "/review/?locale=fr-FR"


def test_sending_back_needs_a_reason_and_keeps_what_was_typed(browser: Browser, tasks: list[Task]) -> None:
    data = {"do": "rejected", "content_hash": opened(browser, address(tasks[0])), "text": " "}
    answer = browser.post(address(tasks[0]), data)
    assert answer.status_code == 422
    assert "Say what is wrong" in answer.content.decode()
    assert decide(browser, tasks[0], "rejected", reason=["tone", "facts"], text="Zu laut.")[0] == 302
    said = " ".join(read(html_of(browser, tasks[0])))
    assert "tone or brand voice" in said
    assert "Zu laut." in html_of(browser, tasks[0])
    assert Review.objects.get().reasons == ["facts", "tone"]


def test_a_draft_that_changed_meanwhile(browser: Browser, tasks: list[Task], fake: FakeTarget) -> None:
    hashed = opened(browser, address(tasks[0]))
    edit(fake, tasks[0], body="<p>Ganz anders.</p>")
    data = {"do": "changes", "content_hash": hashed, "reason": "facts", "text": "Bitte prüfen."}
    answer = browser.post(address(tasks[0]), data)
    html = answer.content.decode()
    assert (answer.status_code, Review.objects.count()) == (409, 0)
    assert "What changed since you opened it is marked" in html
    assert "Bitte prüfen." in html
    assert re.search(r'value="facts" checked', html)
    assert re.search(r"<ins>.*anders.*</ins>", html, re.DOTALL)
    assert "the draft that you had opened" in html


@pytest.mark.parametrize(
    ("look", "says"),
    [
        (
            Look(Verdict.CANNOT_TELL, "id", complete=False, code="http-503"),
            "does not show the draft now (http-503)",
        ),
        (Look(Verdict.ABSENT, "id", complete=True), "is not at “cms” any more"),
    ],
)
def test_a_target_that_does_not_show_it(
    browser: Browser, tasks: list[Task], monkeypatch: pytest.MonkeyPatch, look: Look, says: str
) -> None:
    hashed = opened(browser, address(tasks[0]))
    monkeypatch.setattr(FakeConnector, "read", lambda *_, **__: look)
    html = html_of(browser, tasks[0])
    assert says in html
    assert "Try again" in html
    answer = browser.post(address(tasks[0]), {"do": "accept", "content_hash": hashed})
    assert (answer.status_code, Review.objects.count()) == (409, 0)


def test_an_unknown_button_does_nothing(browser: Browser, tasks: list[Task]) -> None:
    assert decide(browser, tasks[0], "publish")[0] == 422
    assert Review.objects.count() == 0


def test_comments(browser: Browser, tasks: list[Task], world: World) -> None:
    ops = signed_in(world.people[Role.OPS_OWNER])
    answer = ops.post(f"{address(tasks[0])}comments/", {"text": "Wessen <Foto>?"})
    assert answer["Location"].endswith("#history")
    assert "Wessen &lt;Foto&gt;?" in html_of(browser, tasks[0])
    assert ops.post(f"{address(tasks[0])}comments/", {"text": " "}).status_code == 422
    assert Comment.objects.count() == 1


def test_images_come_through_us(
    browser: Browser, tasks: list[Task], world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    Target.objects.filter(project=world.project).update(base_url="https://cms.example")
    monkeypatch.setattr(fetch_image, "_got", lambda address, target: PNG)
    found = re.search(r'<img src="(/review/[^"]+)" alt="Topf">', html_of(browser, tasks[0]))
    assert found is not None
    answer = browser.get(found.group(1).replace("&amp;", "&"))
    assert (answer.status_code, answer["Content-Type"], answer.content) == (200, "image/png", PNG)
    assert answer["Cache-Control"] == "private, max-age=3600"
    assert answer["X-Content-Type-Options"] == "nosniff"
    # what was not signed, is of another task's draft, or does not occur in the draft
    draft = Draft.objects.get(action__task=tasks[0])
    for of, status in (
        ("x", 404),
        (image_claim(draft.pk, "https://cms.example/other.png"), 502),
        (image_claim(draft.pk, "https://cms.example/media/pot.png") + "x", 404),
    ):
        assert browser.get(f"{address(tasks[0])}image/", {"of": of}).status_code == status
    other = image_claim(draft.pk, "https://cms.example/media/pot.png")
    assert browser.get(f"{address(tasks[5])}image/", {"of": other}).status_code == 404
    assert signed_in(world.charlie).get(found.group(1)).status_code == 404
    assert "/media/pot.png" not in browser.get("/review/?view=grid").content.decode()
    assert f"/review/{tasks[0].uuid}/image/" in browser.get("/review/?view=grid").content.decode()


def test_the_page_says_nothing_in_another_language(tasks: list[Task], world: World) -> None:
    lead = signed_in(world.people[Role.MARKETING_LEAD], language="zh-hans")
    decide(lead, tasks[0], "changes", reason=["tone"])
    said = " ".join(read(lead.get(address(tasks[0])).content.decode()))
    assert re.findall(r"[A-Za-z]{4,}", re.sub("ONCE|delivery", "", said)) == []


def test_neighbours_keep_the_filters(browser: Browser, tasks: list[Task]) -> None:
    context = browser.get(f"{address(tasks[0])}?locale=de-DE").context
    assert context["after"] == tasks[5].uuid
    assert f"{address(tasks[5])}?locale=de-DE" in html_of(browser, tasks[0], "?locale=de-DE")
    assert browser.get(address(tasks[5])).context["after"] is None
    assert Action.objects.filter(task=tasks[0]).exists()
