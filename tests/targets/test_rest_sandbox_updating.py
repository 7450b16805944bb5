"""Updating in place, reading, removing and going on in a list, at the real sandbox by its ready declaration."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import pytest

from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets import updating
from once_delivery.targets.base import (
    Answer,
    Connection,
    EffectRequest,
    InventoryError,
    Kind,
    LookUpRequest,
    Original,
    Outcome,
    Verdict,
)
from once_delivery.targets.profile import Guard
from once_delivery.targets.rest.profiles import ready_profile
from tests.real.targets.asking import Asker
from tests.real.targets.system import Account, Held
from tests.real.targets.updating import Updating
from tests.targets.sandbox_space import SPACES, Target

every_guard = pytest.mark.parametrize("target", list(Guard), indirect=True, ids=str)


class SandboxSystem:
    """A space for drafts, as the tests of real systems want it."""

    kind = "rest"
    kinds: tuple[Kind, ...] = (Kind.CREATE_DRAFT,)
    marker_survives_rename = True
    has_trash = True
    sees_its_limits = True

    def __init__(self, admin: SandboxAdmin, guard: Guard) -> None:
        self.guard = guard
        self._admin = admin
        self._space = f"updating-{guard.value.replace('_', '-')}"
        self._token = admin.put_space(self._space, **SPACES[guard])["token"]

    def connection(self, *, base_url: str = "", account: Account = Account.DELIVERY) -> Connection:
        """``base_url`` is that of a proxy, which stands in for the content address."""
        token = self._token if account == Account.DELIVERY else "nobody's token"
        declaration = ready_profile("sandbox", self.guard).declaration
        url = base_url or self._admin.content_url(self._space)
        return Connection(url, declaration, {"token": token}, allow_inside=True)

    def payload(self, kind: Kind, title: str) -> dict[str, Any]:
        return {"title": title, "body": f"<p>{title}</p>", "locale": "de-DE", "product": "kettle"}

    def held(self, kind: Kind, marker: str) -> list[Held]:
        found = self._admin.objects(self._space, marker=marker, kind="drafts")
        return [Held(one["id"], one["title"] or "", one["status"] == "published") for one in found]

    def rename(self, result_id: str) -> None:
        self._admin.edit(self._space, "drafts", result_id, slug="another")

    def edit(self, result_id: str, title: str) -> None:
        self._admin.edit(self._space, "drafts", result_id, title=title)

    def trash(self, kind: Kind, result_id: str) -> None:
        self._admin.trash(self._space, "drafts", result_id)

    def delete(self, kind: Kind, result_id: str) -> None:
        self._admin.delete(self._space, "drafts", result_id)

    def make_by_hand(self, title: str) -> str:
        return str(self._admin.make(self._space, "drafts", title=title)["id"])

    def publish_as_delivery(self, result_id: str) -> bool:
        raise NotImplementedError

    def publishing_payload(self) -> Mapping[str, Any]:
        return {"status": "published"}

    def paused(self) -> Any:
        raise NotImplementedError


class TestUpdating(Updating):
    @pytest.fixture(params=list(Guard), ids=str)
    def system(self, request: pytest.FixtureRequest, admin: SandboxAdmin) -> SandboxSystem:
        return SandboxSystem(admin, request.param)

    @pytest.fixture
    def asker(self, system: SandboxSystem) -> Iterator[Asker]:
        made = Asker(system)
        yield made
        made.connector.close()


def made(target: Target, number: int = 1) -> Original:
    answer = target.connector.perform(target.request(number=number))
    assert answer.version == "1"
    return Original(answer.result_id, answer.marker or "", answer.version)


def update(target: Target, original: Original | None, **payload: Any) -> Answer:
    return target.connector.perform(
        EffectRequest(
            Kind.UPDATE_DRAFT, "once-update", "", "", {"title": "v2", **payload}, 3, original=original
        )
    )


def test_an_update_never_publishes_and_never_takes_the_marker_away(target: Target) -> None:
    original = made(target)
    target.admin.put_space(
        target.space, token=target.admin.get_space(target.space)["token"], may_publish=True
    )
    assert update(target, original, status="published", marker="other").outcome == Outcome.DONE
    (held,) = target.admin.objects(target.space)
    assert (held["status"], held["marker"], held["title"]) == ("draft", original.marker, "v2")


def test_what_the_payload_does_not_name_stays(target: Target) -> None:
    original = made(target)
    update(target, original)
    (found,) = target.connector.read(
        kind=Kind.CREATE_DRAFT, result_id=original.result_id, deadline_s=3
    ).objects
    assert found.content == {"title": "v2", "body": "<p>x</p>", "locale": "de-DE", "product": "p"}
    assert found.version == "2"


def test_a_published_original_is_left_to_a_person(target: Target) -> None:
    original = made(target)
    target.admin.publish(target.space, "drafts", original.result_id)
    assert update(target, original).outcome == Outcome.EXISTS
    look = target.connector.look_up(
        LookUpRequest(Kind.UPDATE_DRAFT, "once-update", "", 3, payload={"title": "v2"}, original=original)
    )
    assert (look.verdict, look.code) == (Verdict.CANNOT_TELL, updating.PUBLISHED)


@pytest.mark.parametrize("version", [None, ""])
def test_an_update_for_no_known_state_is_not_sent(target: Target, version: str | None) -> None:
    original = made(target)
    given = None if version is None else dataclasses.replace(original, version=version)
    answer = update(target, given)
    assert (answer.outcome, answer.code) == (Outcome.REFUSED, "version-unknown")
    assert target.admin.log(target.space, operation="update") == []


@pytest.mark.parametrize(
    "fault", ["answer_lost", "error_after", "reset_after", "cut_in_answer", "error_before", "hang"]
)
def test_a_failure_of_an_update_is_unknown(target: Target, fault: str) -> None:
    original = made(target)
    target.admin.add_fault(target.space, fault, match={"operation": "update"})
    assert update(target, original).outcome == Outcome.UNKNOWN
    assert len(target.admin.log(target.space, operation="update")) == 1


@every_guard
@pytest.mark.parametrize("kind", [Kind.CREATE_DRAFT, Kind.UPLOAD_FILE, Kind.START_JOB], ids=str)
def test_what_was_removed_is_gone_for_good(target: Target, kind: Kind) -> None:
    result_id = target.connector.perform(target.request(kind)).result_id
    answer = target.connector.remove(kind=kind, result_id=result_id, deadline_s=3)
    assert (answer.outcome, answer.code) == (Outcome.DONE, "http-204")
    assert target.admin.objects(target.space) == []
    assert [one["id"] for one in target.admin.inventory(target.space)["deletions"]] == [result_id]
    assert target.connector.read(kind=kind, result_id=result_id, deadline_s=3).verdict == Verdict.ABSENT


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [("answer_lost", Outcome.UNKNOWN), ("error_after", Outcome.UNKNOWN), ("refuse", Outcome.REFUSED),
     ("rate_limited", Outcome.REFUSED), ("reset_after", Outcome.UNKNOWN)],
)  # fmt: skip
def test_a_removal_that_is_not_known_to_have_been_done(target: Target, fault: str, outcome: Outcome) -> None:
    original = made(target)
    target.admin.add_fault(target.space, fault, match={"operation": "remove"})
    removed = target.connector.remove(kind=Kind.CREATE_DRAFT, result_id=original.result_id, deadline_s=3)
    assert removed.outcome == outcome
    left = target.admin.objects(target.space)
    assert len(left) == (1 if outcome == Outcome.REFUSED else 0)


def test_an_account_that_may_not_delete(target: Target) -> None:
    original = made(target)
    token = target.admin.get_space(target.space)["token"]
    target.admin.put_space(target.space, token=token, may_delete=False)
    removed = target.connector.remove(kind=Kind.CREATE_DRAFT, result_id=original.result_id, deadline_s=3)
    assert (removed.outcome, removed.code) == (Outcome.REFUSED, "http-403")


def ids(target: Target, **more: Any) -> list[str]:
    return [one.result_id for one in target.connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=3, **more)]


def test_only_what_was_made_or_changed_after_a_moment(target: Target) -> None:
    first, second = made(target, 1), made(target, 2)
    moment = datetime.fromisoformat(
        next(one for one in target.admin.objects(target.space) if one["id"] == second.result_id)["updated_at"]
    )
    assert ids(target, changed_since=moment) == []
    third = made(target, 3)
    target.admin.edit(target.space, "drafts", first.result_id, title="Edited")
    assert ids(target, changed_since=moment) == [first.result_id, third.result_id]


def test_going_on_behind_the_last_that_was_seen(target: Target) -> None:
    all_of_them = [made(target, number).result_id for number in range(7)]
    token = target.admin.get_space(target.space)["token"]
    target.admin.put_space(target.space, token=token, page_size_max=3)
    found = list(target.connector.inventory(kind=Kind.CREATE_DRAFT, deadline_s=3))
    assert [one.result_id for one in found] == all_of_them
    # whatever happens to objects meanwhile, none of those that follow is passed over
    target.admin.delete(target.space, "drafts", found[1].result_id)
    target.admin.edit(target.space, "drafts", found[5].result_id, title="Edited")
    assert ids(target, after=found[2].place) == all_of_them[3:]
    assert ids(target, after=found[6].place) == []


@pytest.mark.parametrize("target", [Guard.NONE], indirect=True, ids=str)
def test_a_space_without_lists(target: Target) -> None:
    with pytest.raises(InventoryError, match="no-list"):
        ids(target)
