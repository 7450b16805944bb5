"""Where a vendor's drill is under way its target leads where it led, whoever changes it and however quickly."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.db import connection, transaction

from once_delivery.common.errors import DomainError
from once_delivery.common.secrets import unseal
from once_delivery.targets.models import Target
from once_delivery.targets.profile import Guard
from once_delivery.targets.rest.profiles import ready_profile
from once_delivery.targets.services.save_target import save_target
from once_delivery.vendor_drill.errors import TargetHeldError
from once_delivery.vendor_drill.models import VendorDrill
from once_delivery.vendor_drill.services.ask_drill import ask_drill
from tests.builders import a_project
from tests.vendor_drill.given import agreed

pytestmark = pytest.mark.django_db(transaction=True)
READY = ready_profile("sandbox", Guard.LOOKUP)
ELSEWHERE: dict[str, Mapping[str, Any]] = {
    "address": {"base_url": "https://elsewhere.example"},
    "inside": {"allow_inside": True},
    "account": {"credentials": {"token": "another"}},
    "declaration": {"declaration": {**READY.declaration, "headers": {"X-Other": "1"}}},
    "kind": {"kind": "noop"},
}


def save(**changes: Any) -> Target:
    values: dict[str, Any] = {
        "project": a_project(),
        "name": "cms",
        "kind": "rest",
        "base_url": "https://cms.example",
        "declaration": READY.declaration,
        "profile": READY.profile,
        "credentials": {"token": "t"},
        "is_test": True,
        "replace": True,
        **changes,
    }
    return save_target(**values)


def ask(target: Target) -> VendorDrill:
    return ask_drill(project=target.project, target=target, agreement=agreed(), user=None).drill


def meanwhile(do: Callable[[], object]) -> tuple[threading.Thread, list[str]]:
    """``do`` in a connection of its own, and the code of what it was refused with."""
    codes: list[str] = []

    def run() -> None:
        try:
            do()
            codes.append("")
        except DomainError as error:
            codes.append(error.code)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, codes


@pytest.mark.parametrize("what", ELSEWHERE)
def test_it_leads_where_it_led(what: str) -> None:
    target = save()
    drill = ask(target)
    with pytest.raises(TargetHeldError):
        save(**ELSEWHERE[what])
    stored = Target.objects.get(pk=target.pk)
    assert (stored.base_url, stored.declaration) == ("https://cms.example", READY.declaration)
    assert unseal(bytes(stored.credentials_sealed)) == {"token": "t"}
    VendorDrill.objects.filter(pk=drill.pk).update(status="broken")
    save(**ELSEWHERE[what])


def test_what_leads_nowhere_else_may_change() -> None:
    ask(save())
    save(profile={**READY.profile, "concurrency": 3}, is_test=False)
    assert Target.objects.get().profile_data["concurrency"] == 3


def test_a_change_waits_for_a_drill_that_is_being_agreed_on() -> None:
    target = save()
    with transaction.atomic():
        ask(target)
        thread, codes = meanwhile(lambda: save(base_url="https://elsewhere.example"))
        time.sleep(1.0)
    thread.join(20)
    assert codes == ["vendor-drill-holds-target"]
    assert Target.objects.get().base_url == "https://cms.example"


def test_a_drill_that_waited_for_a_change_is_about_what_is_there_now() -> None:
    target = save()
    drills: list[VendorDrill] = []
    with transaction.atomic():
        save(base_url="https://elsewhere.example")
        thread, codes = meanwhile(lambda: drills.append(ask(target)))
        time.sleep(1.0)
    thread.join(20)
    assert codes == [""]
    assert drills[0].target.base_url == "https://elsewhere.example"
