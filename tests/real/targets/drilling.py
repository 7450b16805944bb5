"""``manage.py drill --target`` on a real system, as an operator runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from once_delivery.targets.registry import default_profiles
from once_delivery.targets.services.save_target import save_target
from tests.drill.given import a_project_with_products
from tests.real.targets.system import RealSystem


@pytest.mark.django_db(transaction=True)
class Drilling:
    """A test module inherits it and names the system."""

    def test_the_drill(self, system: RealSystem, tmp_path: Path) -> None:
        way = system.connection()
        save_target(
            project=a_project_with_products("demo"),
            name="cms",
            kind=system.kind,
            base_url=way.base_url,
            declaration=way.declaration,
            profile=default_profiles(system.kind)[system.guard].numbers,
            credentials=way.credentials,
            allow_inside=True,
            is_test=True,
        )
        data = tmp_path / "report.json"
        call_command("drill", target="cms", json=data)
        rounds = json.loads(data.read_text(encoding="utf-8"))["rounds"]
        assert [(one["guard"], one["round"], one["passed"]) for one in rounds] == [
            (system.guard, "one", True),
            (system.guard, "two", True),
        ]
        assert [one["totals"]["held_now"] for one in rounds] == [3, 3]
        assert [one["totals"]["deleted"] for one in rounds] == [0, 0]
