"""One text delivered twice is suggested as a duplicate, whatever the target says of what it is for. On a real sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from billing.models import Duplicate, DuplicateStatus
from billing.services.open_books import open_books
from billing.services.pull_duplicates import pull_duplicates
from billing.services.pull_units import pull_units
from once_delivery.accounts.models import Membership, Role, User
from once_delivery.common.secrets import seal
from once_delivery.ledger.clock import database_now
from once_delivery.ledger.models import Task
from once_delivery.ledger.services.resume_batch import resume_batch
from once_delivery.review.drafts import draft_action_of
from once_delivery.review.models import Asset, Verdict
from once_delivery.review.services.decide import Decider, decide_draft
from once_delivery.review.services.fetch_draft import fetch_draft
from once_delivery.review.text import text_hash_of
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.sandbox.process import SandboxProcess
from once_delivery.targets.models import Target
from once_delivery.targets.rest.profiles import ready_profile
from tests.builders import a_batch, a_delivery, a_draft, a_project, a_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxAdmin]:
    with SandboxProcess(Path(tmp_path_factory.mktemp("sandbox"))) as process:
        yield process.admin


@pytest.fixture
def target(sandbox: SandboxAdmin) -> Target:
    space = sandbox.put_space("texts")
    ready = ready_profile("sandbox", "lookup")
    made = Target.objects.create(
        project=a_project(),
        name="cms",
        kind="rest",
        base_url=sandbox.content_url("texts"),
        declaration=ready.declaration,
        profile_data={**ready.profile, "deadline_s": 2.0, "settle_s": 0.5},
        credentials_sealed=seal({"token": space["token"]}),
        allow_inside=True,
    )
    open_books(project=made.project, since=database_now().date().replace(day=1))
    return made


@pytest.fixture
def lead(target: Target) -> User:
    user = a_user("lead")
    Membership.objects.update_or_create(
        project=target.project, user=user, defaults={"role": Role.MARKETING_LEAD}
    )
    return user


def delivered_and_accepted(target: Target, lead: User, product: str, locale: str, body: str) -> Asset:
    drawn = a_draft(title="A kettle for every day", body=body, product=product, locale=locale)
    batch = a_batch(
        target.project, a_delivery(product, locale=locale, actions=(drawn,)), name=product + locale
    )
    resume_batch(batch=batch, wait_s=5)
    task = Task.objects.get(project=target.project, product__code=product, locale=locale)
    shown = fetch_draft(action=draft_action_of(task))
    assert shown.content["product"] == product  # the sandbox says what its drafts are for
    decide_draft(
        task=task, verdict=Verdict.ACCEPTED, decider=Decider(user=lead), content_hash=shown.content_hash
    )
    return Asset.objects.get(task=task)


def test_another_products_and_another_languages_are_suggested_and_another_text_is_not(
    target: Target, lead: User
) -> None:
    first, second, third, other = (
        delivered_and_accepted(target, lead, product, locale, body)
        for product, locale, body in (
            ("kettle", "en", "It boils."),
            ("pan", "en", "It boils."),
            ("kettle", "de", "It boils."),
            ("lamp", "en", "It boils!"),
        )
    )
    assert len({one.draft.content_hash for one in (first, second, third)}) == 3
    pull_units(project=target.project)
    found = pull_duplicates(project=target.project)
    assert (found.decided, found.suggested) == (0, 2)
    rows = Duplicate.objects.filter(status=DuplicateStatus.SUGGESTED)
    assert {(row.asset, row.survivor) for row in rows} == {(second, first), (third, first)}
    assert not Duplicate.objects.filter(asset=other).exists()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"title": "a", "body": "b", "product": "x"}, {"title": "a", "body": "b", "product": "y"}, True),
        ({"title": "a", "body": "b"}, {"title": "a", "body": "b", "locale": "de", "slug": "a-1"}, True),
        ({"title": "a", "body": "b"}, {"title": "a", "body": "B"}, False),
        ({"title": "a", "body": "b"}, {"title": "b", "body": "a"}, False),
        ({"title": "a", "body": "b"}, {"title": "a", "body": "b", "excerpt": "c"}, False),
    ],
)
def test_what_a_reader_calls_one_text(one: dict[str, str], other: dict[str, str], *, same: bool) -> None:
    assert (text_hash_of(one) == text_hash_of(other)) is same


def test_where_nothing_is_read_nothing_is_alike() -> None:
    assert text_hash_of({"product": "x"}) == text_hash_of({"title": " "}) == ""
