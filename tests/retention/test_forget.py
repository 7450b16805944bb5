"""What is final and old is emptied; what is left is a tombstone (DESIGN section 10). Against PostgreSQL."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from billing.models import Usage
from once_delivery.accounts.models import Role
from once_delivery.common.errors import InvalidInputError
from once_delivery.ledger.models import (
    Action,
    Batch,
    Event,
    Forgotten,
    InputVersion,
    Receipt,
    StoredFile,
    Task,
)
from once_delivery.ledger.requests import BatchRequest
from once_delivery.ledger.services.request_batch import request_batch
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.retention.amounts import amounts_of
from once_delivery.retention.services import forget as forgetting
from once_delivery.retention.services.forget import forget
from once_delivery.retention.wording import said as in_words
from once_delivery.review.drafts import draft_action_of
from once_delivery.review.models import Asset, Draft, Reason, Review, Verdict
from once_delivery.review.services.comment_on_task import comment_on_task
from once_delivery.review.services.decide import Decider, decide_draft
from once_delivery.review.services.fetch_draft import fetch_draft
from once_delivery.targets.base import FoundObject, Kind
from reconciliation.models import AuditedObject, CaseEvent
from reconciliation.services.audit_target import audit_target
from reconciliation.services.open_cases import open_cases
from tests.api.caller import a_caller
from tests.builders import a_delivery, a_project, a_target, a_user
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget
from tests.ledger.given import put
from tests.ledger.raw import execute
from tests.retention.given import (
    WORD,
    YEAR,
    a_person,
    a_request,
    deliver,
    other_connection,
    places_of,
    the_item,
)

pytestmark = pytest.mark.django_db(transaction=True)

# what PostgreSQL held before: the test sees nothing where it has not looked
FULL = {
    "intake_upload",
    "ledger_action",
    "ledger_inputversion",
    "ledger_observation",
    "ledger_receipt",
    "ledger_storedfile",
    "ledger_title",
    "notices_message",
    "reconciliation_caseevent",
    "reconciliation_finding",
    "review_comment",
    "review_draft",
    "review_review",
}


def test_no_word_of_the_client_is_anywhere(told: Task) -> None:
    assert places_of(WORD) == FULL

    done, whole = forget(project=a_project(), after_days=30)

    assert whole
    assert places_of(WORD) == set()
    assert (done["tasks"], done["briefs"], done["files"], done["uploads"]) == (1, 1, 1, 1)


def test_the_tombstone_stays(told: Task) -> None:
    kept = (
        "uuid",
        "marker",
        "fingerprint",
        "state",
        "result_id",
        "result_version",
        "confirmed_at",
        "revision",
    )
    actions = list(Action.objects.order_by("pk").values(*kept))
    events = list(
        Event.objects.order_by("pk").values("kind", "from_state", "to_state", "reason", "actor", "at")
    )
    reviews = list(Review.objects.order_by("pk").values("verdict", "reasons", "at", "draft__content_hash"))
    prints = list(InputVersion.objects.values_list("fingerprint", "approved_by"))

    forget(project=a_project(), after_days=30)

    assert list(Action.objects.order_by("pk").values(*kept)) == actions
    now = Event.objects.order_by("pk").values("kind", "from_state", "to_state", "reason", "actor", "at")
    assert list(now) == events
    now_said = Review.objects.order_by("pk").values("verdict", "reasons", "at", "draft__content_hash")
    assert list(now_said) == reviews
    assert list(InputVersion.objects.values_list("fingerprint", "approved_by")) == prints
    assert Asset.objects.filter(task=told, withdrawn_at=None).count() == 1
    assert Forgotten.objects.get().after_days == 30


@pytest.mark.parametrize("after", ["intake", "api"])
def test_a_request_that_comes_again_is_recognised(told: Task, fake: FakeTarget, after: str) -> None:
    forget(project=a_project(), after_days=30)
    before = list(Action.objects.order_by("pk").values("uuid", "marker", "result_id", "state"))
    sent = len(fake.creates)

    if after == "intake":
        deliver(a_request(name="a year later"))
    else:
        answer = a_caller(a_project()).post("/deliveries", {"items": [the_item()]})
        (one,) = answer.json()["deliveries"]
        assert (answer.status_code, one["id"], one["state"]) == (202, str(told.uuid), "confirmed")

    assert list(Action.objects.order_by("pk").values("uuid", "marker", "result_id", "state")) == before
    assert len(fake.creates) == sent


def test_other_content_is_refused_as_it_was(told: Task) -> None:
    """R9"""
    forget(project=a_project(), after_days=30)

    with pytest.raises(InvalidInputError) as refused:
        deliver(a_request(words="another"))
    assert refused.value.problems[0].code == "input-version-changed"
    item = the_item()
    answer = a_caller(a_project()).post(
        "/deliveries",
        {"items": [item | {"actions": [{**item["actions"][0], "content": {"title": "other"}}]}]},
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "content-changed")


def test_an_audit_still_matches(told: Task) -> None:
    forget(project=a_project(), after_days=30)

    audit = audit_target(target=Action.objects.all()[0].target)

    assert (audit.counts["matched"], audit.findings.count()) == (2, 0)


def test_a_second_run_changes_nothing(told: Task) -> None:
    forget(project=a_project(), after_days=30)
    at = Forgotten.objects.get().at

    assert forget(project=a_project(), after_days=30) == (Counter(), True)
    assert Forgotten.objects.get().at == at


def test_what_is_said_before_is_what_is_done(told: Task) -> None:
    said = amounts_of(project=a_project(), after_days=30)
    assert places_of(WORD) == FULL, "counting changes nothing"

    done, _ = forget(project=a_project(), after_days=30)

    assert (said.tasks, said.drafts) == (done["tasks"], done["drafts"])
    assert (said.briefs, said.uploads, said.messages) == (done["briefs"], done["uploads"], done["messages"])
    assert (said.tasks, said.files) == (1, done["files"]) == (1, 1)
    assert amounts_of(project=a_project(), after_days=30).nothing


def test_the_lists_of_audits_and_the_names_of_strangers_are_said_too(
    told: Task, fake: FakeTarget, clock: DatabaseClock
) -> None:
    """Lists that are kept to go on from, and what objects of no task are called."""
    target = Action.objects.all()[0].target
    stranger = FoundObject(result_id="stranger", marker=f"once-{'a' * 26}", title=WORD)
    fake.objects.append(stranger)
    audit_target(target=target)
    fake.objects.remove(stranger)
    audit = audit_target(target=target)
    AuditedObject.objects.create(
        audit=audit, kind="create_draft", result_id="9", marker="", status="draft", title=WORD, trashed=False
    )
    clock.forward(YEAR)

    said = amounts_of(project=a_project(), after_days=30)
    assert (said.lists, said.strangers) == (1, 1)
    assert {
        "1 list of a target's objects, of an audit",
        "titles in 1 finding about objects of no task",
    } <= set(in_words(said))

    forget(project=a_project(), after_days=30)
    left = amounts_of(project=a_project(), after_days=30)
    assert (left.lists, left.strangers, left.nothing, places_of(WORD)) == (0, 0, True, set())


def test_a_draft_of_which_changes_were_asked_for_is_kept_until_it_is_over(
    fake: FakeTarget, clock: DatabaseClock
) -> None:
    """It is decided, and still in work: whoever makes the changes needs the brief and the words."""
    a_target(a_project())
    deliver(a_request())
    _decide(Verdict.CHANGES)
    clock.forward(YEAR)
    assert forget(project=a_project(), after_days=30)[0]["tasks"] == 0
    amounts = amounts_of(project=a_project(), after_days=30)
    assert (amounts.tasks, amounts.kept_back, amounts.briefs, amounts.files) == (0, 1, 0, 0)

    _decide(Verdict.REJECTED)
    clock.forward(YEAR)
    assert forget(project=a_project(), after_days=30)[0]["tasks"] == 1


@pytest.mark.parametrize("rule", ["update_existing", "create_new"])
def test_a_newer_version_ends_the_work_on_the_older_one(
    fake: FakeTarget, clock: DatabaseClock, rule: str
) -> None:
    a_target(a_project(), on_new_version=rule)
    request = a_request()
    deliver(request)
    _decide(Verdict.CHANGES)
    (delivery,) = request.deliveries
    newer = replace(delivery, input_version=2, brief={"text": "the second"})
    deliver(replace(request, name="second", deliveries=(newer,)))
    clock.forward(YEAR)
    assert forget(project=a_project(), after_days=30)[0]["tasks"] == 2


def _decide(verdict: Verdict) -> None:
    task = Task.objects.get()
    decide_draft(
        task=task,
        verdict=verdict,
        decider=Decider(user=a_person("lead", Role.MARKETING_LEAD, a_project())),
        content_hash=fetch_draft(action=draft_action_of(task)).content_hash,
        reasons=[Reason.TONE],
    )


def test_what_has_happened_lately_is_kept(told: Task) -> None:
    """A word about it is an event of the task."""
    comment_on_task(task=told, user=a_user("lead"), text="still needed")

    done, _ = forget(project=a_project(), after_days=30)

    assert (done["tasks"], done["briefs"], done["files"]) == (0, 0, 0)
    assert Draft.objects.exclude(content={}).exists()


def test_an_open_case_keeps_everything(told: Task, fake: FakeTarget) -> None:
    action = Action.objects.get(kind=Kind.CREATE_DRAFT)
    put(action, presence="duplicate")
    open_cases()
    old = CaseEvent.objects.order_by("-pk")[0].case
    assert old.status == "open"

    assert forget(project=a_project(), after_days=30)[0]["tasks"] == 0
    assert amounts_of(project=a_project(), after_days=30).kept_back == 1


def test_what_is_not_final_is_kept(fake: FakeTarget, clock: DatabaseClock) -> None:
    """However old: planned, uncertain, and what a person has to decide."""
    a_target(a_project())
    request_batch(project=a_project(), request=a_request(), user=None)
    clock.forward(YEAR)

    assert forget(project=a_project(), after_days=30)[0]["tasks"] == 0
    assert Action.objects.exclude(payload={}).count() == 2
    assert (InputVersion.objects.exclude(content={}).count(), StoredFile.objects.count()) == (1, 1)


def test_what_tasks_share_goes_with_the_last_of_them(told: Task, clock: DatabaseClock) -> None:
    """A brief and a file that a younger task needs stay until that one is forgotten too."""
    young = a_request()
    (delivery,) = young.deliveries
    deliver(replace(young, name="winter", deliveries=(replace(delivery, locale="fr-FR"),)))

    done, _ = forget(project=a_project(), after_days=30)
    assert (done["tasks"], done["briefs"], done["files"]) == (1, 0, 0)
    assert StoredFile.objects.exists()

    clock.forward(YEAR)
    done, _ = forget(project=a_project(), after_days=30)
    assert (done["tasks"], done["briefs"], done["files"]) == (1, 1, 1)
    assert places_of(WORD) == set()


def test_what_comes_afterwards_is_forgotten_in_its_turn(told: Task, clock: DatabaseClock) -> None:
    forget(project=a_project(), after_days=30)
    comment_on_task(task=told, user=a_user("lead"), text=f"what was {WORD}?")
    assert forget(project=a_project(), after_days=30)[0]["tasks"] == 0
    clock.forward(YEAR)

    assert forget(project=a_project(), after_days=30)[0]["tasks"] == 1
    assert places_of(WORD) == set()


def test_a_run_that_was_cut_off_goes_on(told: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after the tasks and before what they share, and in the middle of a group."""

    def killed(**_: object) -> Counter[str]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(forgetting, "forget_words_of_cases", killed)
        with pytest.raises(KeyboardInterrupt):
            forget(project=a_project(), after_days=30)
    assert places_of(WORD) == FULL, "a group is one transaction"
    with monkeypatch.context() as patch:
        patch.setattr(forgetting, "forget_briefs", killed)
        with pytest.raises(KeyboardInterrupt):
            forget(project=a_project(), after_days=30)
    assert places_of(WORD) == {"intake_upload", "ledger_inputversion", "ledger_storedfile", "notices_message"}

    forget(project=a_project(), after_days=30)

    assert places_of(WORD) == set()


def test_what_a_worker_holds_waits_for_the_next_night(told: Task) -> None:
    """Nobody waits for a lock, neither we nor the worker."""
    with other_connection() as worker:
        worker.execute("BEGIN")
        worker.execute("SELECT FROM ledger_action WHERE kind = 'upload_file' FOR UPDATE")
        done, whole = forget(project=a_project(), after_days=30)
        assert (done["tasks"], done["briefs"], whole) == (0, 0, True)
        assert Action.objects.exclude(payload={}).count() == 2
    assert forget(project=a_project(), after_days=30)[0]["tasks"] == 1


def test_no_more_at_a_time_than_was_said(told: Task) -> None:
    done, whole = forget(project=a_project(), after_days=30, most=1)
    assert (done["tasks"], done["briefs"], whole) == (1, 0, False)
    assert forget(project=a_project(), after_days=30, most=1)[1]


def test_the_bound_is_exact_within_a_group_and_over_groups(
    fake: FakeTarget, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_target(a_project())
    request_batch(
        project=a_project(),
        request=BatchRequest(name="many", deliveries=tuple(a_delivery(f"p{n}") for n in range(7))),
        user=None,
    )
    resume_batch(batch=Batch.objects.get(), wait_s=5)
    clock.forward(YEAR)
    monkeypatch.setattr(forgetting, "AT_ONCE", 2)
    left = 7
    for most in (1, 3, 2):
        done, whole = forget(project=a_project(), after_days=30, most=most)
        left -= most
        assert (done["tasks"], whole, Forgotten.objects.count()) == (most, False, 7 - left)
    assert forget(project=a_project(), after_days=30, most=2)[0]["tasks"] == 1


def test_usage_stays_until_it_is_in_the_books(told: Task) -> None:
    """Accounting reads it from the receipt; what it has not read is not thrown away."""
    receipt = Receipt.objects.order_by("pk")[0]
    execute("ALTER TABLE ledger_receipt DISABLE TRIGGER once_append_only")
    Receipt.objects.filter(pk=receipt.pk).update(
        usage={"provider": "acme", "amount": "1.00", "currency": "CNY"}
    )
    execute("ALTER TABLE ledger_receipt ENABLE TRIGGER once_append_only")
    forget(project=a_project(), after_days=30)
    assert Receipt.objects.get(pk=receipt.pk).usage["amount"] == "1.00"

    Usage.objects.create(
        project=a_project(),
        task=told,
        attempt=receipt.attempt,
        source_key=f"receipt:{receipt.pk}",
        provider="acme",
        used_at=receipt.received_at,
    )
    Forgotten.objects.all().delete()
    forget(project=a_project(), after_days=30)

    assert Receipt.objects.get(pk=receipt.pk).usage == {}
