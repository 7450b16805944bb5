"""One identity is one action: asked again it makes nothing, with other content it is refused (R9, FAULTS 8, 14, 21)."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.db import transaction

from once_delivery.accounts.models import Project
from once_delivery.common.errors import InvalidInputError
from once_delivery.ledger.models import (
    Action,
    Batch,
    BatchTask,
    Event,
    InputVersion,
    Product,
    StoredFile,
    Task,
)
from once_delivery.ledger.requests import ActionRequest, BatchRequest, BatchResult
from once_delivery.ledger.services import decide
from once_delivery.ledger.services.request_batch import request_batch
from once_delivery.targets.base import FileBytes, Kind
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_user, the_action
from tests.fakes.clock import DatabaseClock
from tests.fakes.connector import FakeTarget
from tests.fakes.rival import elsewhere, run_before
from tests.ledger.given import UNKNOWN, a_batch_of, a_real_target, done, record, said, the_claim
from tests.ledger.raw import execute, refused_by
from tests.ledger.test_claims import together

pytestmark = pytest.mark.django_db(transaction=True)


def planned(batch: Batch) -> None:
    """As it was asked for."""


def sending(batch: Batch) -> None:
    the_claim(batch)


def uncertain(batch: Batch) -> None:
    record(batch, (the_claim(batch), UNKNOWN))


def accepted(batch: Batch) -> None:
    record(batch, (the_claim(batch), said("accepted", result_id="job-1")))  # type: ignore[arg-type]


def confirmed(batch: Batch) -> None:
    record(batch, (the_claim(batch), done()))


def refused(batch: Batch) -> None:
    record(batch, (the_claim(batch), said("refused")))  # type: ignore[arg-type]


def cancelled(batch: Batch) -> None:
    decide.give_up(action=the_action(batch), user=a_user())


def superseded(batch: Batch) -> None:
    a_batch(batch.project, a_delivery("product-000", input_version=2, brief={"text": "2"}), name="second")


STATES = [planned, sending, uncertain, accepted, confirmed, refused, cancelled, superseded]


@pytest.mark.parametrize("come_to", STATES)
@pytest.mark.parametrize("part", ["title", "brief"])
def test_one_character_changed_is_refused_with_both_fingerprints(
    part: str, come_to: Callable[[Batch], None], fake: FakeTarget
) -> None:
    """R9: in every state, and nothing is sent or kept."""
    batch = a_batch_of()
    come_to(batch)
    before = (list(Action.objects.order_by("pk").values()), Event.objects.count(), BatchTask.objects.count())
    changed: dict[str, Any] = (
        {"actions": (a_draft(title="product-000 de-DE."),)}
        if part == "title"
        else {"brief": {"text": "brief of kettlf"}}
    )

    with pytest.raises(InvalidInputError) as error:
        a_batch(batch.project, a_delivery("product-000", **changed))

    (problem,) = error.value.problems
    assert problem.code == ("content-changed" if part == "title" else "input-version-changed")
    known, given = problem.params["known"], problem.params["given"]
    assert known != given
    assert re.findall(r"[0-9a-f]{64}", problem.message) == [known, given]
    assert (
        list(Action.objects.order_by("pk").values()),
        Event.objects.count(),
        BatchTask.objects.count(),
    ) == before
    assert fake.creates == []


@pytest.mark.parametrize("come_to", STATES)
def test_asked_again_is_a_suppressed_repeat(come_to: Callable[[Batch], None]) -> None:
    """FAULTS 14: the workflow runs again as a whole, under another name."""
    batch = a_batch_of()
    come_to(batch)
    before = list(Action.objects.order_by("pk").values())

    result = ask(batch.project, name="again", products=["product-000"])

    assert (result.tasks_new, result.actions_new, result.suppressed, result.superseded) == (0, 0, 1, 0)
    assert list(Action.objects.order_by("pk").values()) == before
    assert BatchTask.objects.get(batch=result.batch).existed is True


def ask(project: Project, *, name: str, products: list[str], **changes: Any) -> BatchResult:
    deliveries = tuple(a_delivery(product, **changes) for product in products)
    return request_batch(project=project, request=BatchRequest(name, deliveries), user=None)


@pytest.mark.parametrize(
    ("part", "spellings"),
    [
        ("locale", ["de-CH", "de_CH", "DE-ch", " de-CH "]),
        ("locale", ["zh-Hans-CN", "zh_hans_cn", "ZH-HANS-cn"]),
        ("product", ["café", "cafe\u0301", "CAFÉ", " café ", "caf\u00e9\u200b"]),
        ("product", ["Straße", "STRASSE", "strasse"]),
        ("product", ["two words", "two  words", "two\u00a0words", "two\twords"]),
        ("purpose", ["product-page", "Product-Page", "product-page "]),
    ],
    ids=["locale", "script", "accents", "sharp s", "spaces", "purpose"],
)
def test_different_spellings_are_one_identity(part: str, spellings: list[str]) -> None:
    """FAULTS 21"""
    project = a_project()
    a_real_target(project)
    draft: dict[str, Any] = {
        "actions": (a_draft(),),
        "brief": {"text": "the same"},
        "product_name": "The same",
    }
    for number, spelling in enumerate(spellings):
        a_batch(project, a_delivery(**{**draft, part: spelling}), name=f"batch {number}")

    assert (Product.objects.count(), Task.objects.count(), Action.objects.count()) == (1, 1, 1)
    assert BatchTask.objects.filter(existed=True).count() == len(spellings) - 1


@pytest.mark.parametrize(
    ("part", "spellings"),
    [
        ("locale", ["de", "de-DE", "de-AT", "de-DE-1996"]),
        ("locale", ["zh-Hans", "zh-Hant", "zh-TW"]),
        ("product", ["cafe", "café", "cafè"]),
        ("product", ["a-1", "a_1", "a1", "a 1"]),
        ("product", ["пример", "ппример"]),
        ("purpose", ["page", "page2"]),
        ("input_version", [1, 2]),
    ],
    ids=["locale", "script", "accents", "separators", "letters", "purpose", "version"],
)
def test_really_different_ones_stay_different(part: str, spellings: list[Any]) -> None:
    """FAULTS 21"""
    project = a_project()
    a_real_target(project)
    for number, spelling in enumerate(spellings):
        a_batch(project, a_delivery(**{part: spelling, "actions": (a_draft(),)}), name=f"batch {number}")

    assert Action.objects.values("marker").distinct().count() == len(spellings)
    assert Action.objects.values("client_id").distinct().count() == len(spellings)


def test_a_doubled_webhook_makes_one_batch_of_one_kind() -> None:
    """FAULTS 14: eight times at once, in every order; none is an error."""
    project = a_project()
    a_real_target(project)
    products = [f"product-{number}" for number in range(12)]
    numbers = iter(range(8))
    lock = threading.Lock()

    def once() -> BatchResult:
        with lock:
            number = next(numbers)
        turned = products[number:] + products[:number]
        return ask(project, name=f"webhook {number % 2}", products=turned[::-1] if number % 2 else turned)

    results = together(8, once)

    assert sum(result.tasks_new for result in results) == 12
    assert sum(result.actions_new for result in results) == 12
    assert sum(result.suppressed for result in results) == 7 * 12
    assert (Product.objects.count(), InputVersion.objects.count(), Task.objects.count()) == (12, 12, 12)
    assert (Action.objects.count(), Event.objects.filter(kind="requested").count()) == (12, 12)
    assert Batch.objects.count() == 2


def test_another_version_of_known_products_at_once_is_one_version() -> None:
    """FAULTS 14: the products exist already, so nothing but the version itself keeps the two apart."""
    batch = a_batch_of(3)
    products = [f"product-{number:03}" for number in range(3)]

    results = together(
        6, lambda: ask(batch.project, name="second", products=products, input_version=2, brief={"text": "2"})
    )

    assert sum(result.versions_new for result in results) == 3
    assert InputVersion.objects.filter(number=2).count() == 3
    assert sorted(Action.objects.values_list("state", flat=True)) == ["planned"] * 3 + ["superseded"] * 3


def test_other_content_that_was_asked_for_a_moment_before_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """R9: two different contents at once; the second is told, whoever it is."""
    batch = a_batch_of()
    first = {"input_version": 2, "brief": {"text": "2"}}
    rival = elsewhere(lambda: ask(batch.project, name="rival", products=["product-000"], **first))
    run_before(monkeypatch, "once_delivery.ledger.services.request_batch.canonical", rival)

    with pytest.raises(InvalidInputError) as error:
        ask(batch.project, name="mine", products=["product-000"], input_version=2, brief={"text": "two"})

    assert [problem.code for problem in error.value.problems] == ["input-version-changed"]
    assert not Batch.objects.filter(name="mine").exists()


def test_the_same_files_in_another_order_wait_for_nobody(clock: DatabaseClock) -> None:
    project = a_project()
    a_real_target(project)
    files = {
        f"{number:064}": FileBytes(f"{number}.png", "image/png", f"{number:064}", b"x") for number in range(6)
    }
    numbers = iter(range(6))
    lock = threading.Lock()

    def once() -> BatchResult:
        with lock:
            number = next(numbers)
        names = list(files)[number:] + list(files)[:number]
        upload = ActionRequest("cms", Kind.UPLOAD_FILE, "hero", {"file": {"sha256": names[0]}})
        delivery = a_delivery(f"product-{number}", actions=(upload,))
        request = BatchRequest(
            f"batch {number}", (delivery,), files={name: files[name] for name in names[::-1]}
        )
        return request_batch(project=project, request=request, user=None)

    together(6, once)

    assert (StoredFile.objects.count(), Action.objects.count()) == (6, 6)


@pytest.mark.parametrize(
    "at",
    [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC), datetime(2026, 9, 1)],  # noqa: DTZ001
    ids=["first", "last", "without-a-zone"],
)
def test_an_approval_at_no_moment_that_can_be_meant_is_refused(at: datetime) -> None:
    project = a_project()
    a_real_target(project)
    with pytest.raises(InvalidInputError) as caught:
        a_batch(project, a_delivery(approved_at=at))
    assert [one.code for one in caught.value.problems] == ["bad-time"]
    assert not InputVersion.objects.exists()


def test_an_approval_is_kept_in_utc() -> None:
    at = datetime(2026, 9, 1, tzinfo=timezone(timedelta(hours=23, minutes=59)))
    project = a_project()
    a_real_target(project)
    a_batch(project, a_delivery(approved_at=at))
    assert InputVersion.objects.get().approved_at == at


@pytest.mark.parametrize("at", ["0001-12-31 10:00+00 BC", "1969-12-31 23:59:59+00", "10000-01-01 00:00+00"])
def test_postgresql_keeps_no_approval_that_python_cannot_read(at: str) -> None:
    project = a_project()
    a_real_target(project)
    a_batch(project, a_delivery())
    with refused_by("input_version_approved_in_our_times"), transaction.atomic():
        execute(
            "INSERT INTO ledger_inputversion (project_id, product_id, number, content, fingerprint, approved_by, "
            "approved_at, created_at) SELECT project_id, product_id, 2, content, fingerprint, approved_by, "
            "%s::timestamptz, created_at FROM ledger_inputversion",
            [at],
        )
