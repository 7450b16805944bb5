"""Audits from their pages: asking for one, following it, reading and explaining what it found."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from once_delivery.accounts.models import User
from once_delivery.common.errors import InvalidInputError
from once_delivery.ledger.models import Run, RunKind, RunStatus
from once_delivery.targets.models import Errand, ErrandKind, ErrandStatus, Target
from once_delivery.targets.services.errands import ask_errand
from once_delivery.web.selectors.audits import PAGE
from reconciliation.models import Audit, AuditedObject, Finding, FindingKind
from reconciliation.services import nightly_audits
from reconciliation.services.explain_finding import (
    FindingExplainedError,
    FindingOverError,
    explain_finding,
)
from tests.builders import a_target
from tests.web.conftest import World, signed_in

NIGHT = datetime(2026, 11, 28, 19, 30, tzinfo=UTC)  # 03:30 in Shanghai


def address(world: World, rest: str = "") -> str:
    assert world.finding.audit is not None
    return f"/targets/{world.target.uuid}/audits/{world.finding.audit.uuid}/{rest}"


def more_findings(world: World, count: int) -> None:
    first = world.finding
    Finding.objects.bulk_create(
        Finding(
            project=first.project,
            target=first.target,
            audit=first.audit,
            kind=FindingKind.ORPHAN,
            marker=f"once-more{number:05}",
            evidence=first.evidence,
            found_at=first.found_at,
        )
        for number in range(count)
    )


@pytest.mark.parametrize(
    ("what", "options"),
    [
        ("everything", {"changes": False, "go_on": False}),
        ("changes", {"changes": True, "go_on": False}),
        ("go-on", {"changes": False, "go_on": True}),
    ],
)
def test_an_audit_is_asked_for_once(world: World, what: str, options: dict[str, bool]) -> None:
    browser = signed_in(world.alice)
    path = f"/targets/{world.target.uuid}/audits/"
    browser.post(path, {"what": what})
    again = browser.post(path, {"what": what}, follow=True).content.decode()
    assert Errand.objects.get().options == options
    assert "nothing was started a second time" in again


def test_one_that_runs_shows_how_far_it_is(world: World) -> None:
    target = world.target
    errand, _ = ask_errand(target=target, kind=ErrandKind.AUDIT, user=world.alice)
    begun = timezone.now() - timedelta(seconds=30)
    Errand.objects.filter(pk=errand.pk).update(status=ErrandStatus.RUNNING, taken_at=begun)
    run = Run.objects.create(project=world.project, kind=RunKind.AUDIT, process="test")
    audit = Audit.objects.create(project=world.project, target=target, run=run, started_at=begun)
    AuditedObject.objects.bulk_create(
        AuditedObject(audit=audit, kind="create_draft", result_id=str(n), trashed=False) for n in range(10)
    )
    part = signed_in(world.alice).get(f"/targets/{target.uuid}/audits/", headers={"hx-request": "true"})
    said = part.content.decode()
    assert "10 objects read" in said
    assert "20 a minute" in said or "19 a minute" in said
    assert 'hx-trigger="every 2s"' in said


def test_findings_are_filtered_counted_and_linked(world: World) -> None:
    browser = signed_in(world.alice)
    said = browser.get(address(world)).content.decode()
    assert "1 finding is neither over nor explained" in said
    assert "waits for an explanation" in said
    assert "9001" in said
    assert "javascript:" not in said
    assert "9001" not in browser.get(address(world, "?kind=duplicate")).content.decode()
    assert "9001" not in browser.get(address(world, "?state=over")).content.decode()


def test_what_a_look_up_met_is_shown_with_its_result_ids(world: World) -> None:
    evidence = {"result_ids": ["d5045", "d5051"]}
    Finding.objects.filter(pk=world.finding.pk).update(
        kind=FindingKind.DUPLICATE, evidence=evidence, action=world.action("confirmed")
    )
    browser = signed_in(world.alice)
    said = browser.get(address(world)).content.decode()
    assert 'data-copy="d5045"' in said
    assert 'data-copy="d5051"' in said
    text = b"".join(browser.get(address(world, "findings.csv"))).decode("utf-8-sig")
    heads, row = csv.reader(io.StringIO(text))
    assert row[heads.index("result_ids")] == "d5045 d5051"


def test_a_long_list_comes_in_pages_with_the_same_queries(world: World) -> None:
    browser = signed_in(world.alice)

    def queries(path: str) -> int:
        browser.get(path)
        with CaptureQueriesContext(connection) as caught:
            assert browser.get(path).status_code == 200
        return len(caught)

    one = queries(address(world))
    more_findings(world, 250)
    assert queries(address(world)) == one
    first = browser.get(address(world))
    page = first.context["now"].page
    second = browser.get(address(world, f"?before={page.next_key}")).context["now"].page
    assert len(page.rows) == len(second.rows) == PAGE
    assert not {one.pk for one in page.rows} & {one.pk for one in second.rows}


def test_the_file_has_every_finding_and_no_formula(world: World) -> None:
    more_findings(world, 150)
    Finding.objects.filter(pk=world.finding.pk).update(marker="=1+1")
    response = signed_in(world.alice).get(address(world, "findings.csv"))
    assert response.streaming
    text = b"".join(response).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) == 152
    assert rows[-1][rows[0].index("marker")] == "'=1+1"


def test_a_finding_is_explained_once_and_by_name(world: World) -> None:
    browser = signed_in(world.alice)
    path = f"/targets/{world.target.uuid}/findings/{world.finding.uuid}/"

    empty = browser.post(path, {"text": "   "})
    assert empty.status_code == 422
    assert "Say in 1 to 2000 characters" in empty.content.decode()
    assert browser.post(path, {"text": "From the old installation."}).status_code == 302
    late = browser.post(path, {"text": "Something else."})

    assert late.status_code == 409
    assert "alice has explained this already." in late.content.decode()
    finding = Finding.objects.get(pk=world.finding.pk)
    assert (finding.explanation, finding.explained_by) == ("From the old installation.", world.alice)
    assert "9001" not in browser.get(address(world)).content.decode()
    assert "explained by" in browser.get(address(world, "?state=explained")).content.decode()


def test_what_is_over_needs_no_explanation(world: World) -> None:
    finding = world.finding
    Finding.objects.filter(pk=finding.pk).update(over_at=timezone.now())
    with pytest.raises(FindingOverError):
        explain_finding(finding=finding, user=world.alice, text="Because.")
    with pytest.raises(InvalidInputError):
        explain_finding(finding=finding, user=world.alice, text="")
    other = User.objects.create_user("other")
    Finding.objects.filter(pk=finding.pk).update(over_at=None)
    explain_finding(finding=finding, user=other, text="Because.")
    with pytest.raises(FindingExplainedError):
        explain_finding(finding=finding, user=world.alice, text="Because.")


def test_by_night_each_live_target_is_audited_once_while_nothing_runs(world: World) -> None:
    Run.objects.update(status=RunStatus.FINISHED)
    errand_id = nightly_audits.next_nightly_audit(now=NIGHT)
    assert errand_id is not None
    errand = Errand.objects.get(pk=errand_id)
    assert (errand.target.project, errand.kind, errand.asked_by) == (world.project, "audit", None)
    assert nightly_audits.next_nightly_audit(now=NIGHT) is None  # one at a time
    Errand.objects.update(status=ErrandStatus.DONE)
    assert nightly_audits.next_nightly_audit(now=NIGHT) is None  # each once a night


def test_by_day_or_while_something_runs_or_switched_off_nothing_is_audited(
    world: World, settings: pytest.FixtureRequest
) -> None:
    Run.objects.update(status=RunStatus.FINISHED)
    assert nightly_audits.next_nightly_audit(now=NIGHT + timedelta(hours=9)) is None
    Run.objects.update(status=RunStatus.RUNNING)
    assert nightly_audits.next_nightly_audit(now=NIGHT) is None
    Run.objects.update(status=RunStatus.FINISHED)
    settings.NIGHTLY_AUDITS = False  # type: ignore[attr-defined]
    assert nightly_audits.next_nightly_audit(now=NIGHT) is None


def test_test_targets_and_those_that_hold_nothing_are_left_alone_by_night(world: World) -> None:
    Run.objects.update(status=RunStatus.FINISHED)
    a_target(world.project, name="empty")
    Target.objects.filter(project=world.project, name="cms").update(is_test=True)
    assert nightly_audits.next_nightly_audit(now=NIGHT) is None
