"""Drills of vendors at real systems, begun and finished by the commands that an operator uses."""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management import call_command

from once_delivery.accounts.models import Project
from once_delivery.targets.registry import default_profiles
from once_delivery.targets.services.save_target import save_target
from tests.builders import a_project
from tests.real.targets.vendors import Vendored


@dataclass(frozen=True, slots=True)
class Begun:
    """A drill under way. ``titles``: by product, nobody's before. ``base_url``: what the vendor was given."""

    drill: str
    base_url: str
    project: Project
    vendored: Vendored
    titles: dict[str, str]

    def declare(self, *what: str, item: str) -> None:
        """What no proxy sees, said with a name."""
        said = ("--item", item, "--name", "Lin Yue", *what)
        call_command("vendor_drill", "declare", self.drill, *said, stdout=io.StringIO())

    def finish(self, folder: Path) -> tuple[int, dict[str, tuple[bool, str]]]:
        """The command's exit code, and the verdict and reason for each item."""
        data, code = folder / "report.json", 0
        try:
            call_command("vendor_drill", "finish", self.drill, "--json", str(data), stdout=io.StringIO())
        except SystemExit as end:
            code = int(end.code or 0)
        document: dict[str, Any] = json.loads(data.read_text(encoding="utf-8"))
        return code, {one["item"]: (one["passed"], one["why"]) for one in document["items"]}

    def held(self) -> list[int]:
        """How many of each there are in the system's own storage."""
        return self.vendored.held(self.titles.values())


def some_titles(count: int) -> dict[str, str]:
    """A CMS that shows titles puts other quotes, dashes and ampersands there than were sent."""
    name = uuid.uuid4().hex[:8]
    titles = {
        "kettle": f"Kettle {name}",
        "lamp": f'Lamp "{name}" & more -- 2',
        "chair": f"茶壶 {name}",
        "vase": f"Vase {name}",
    }
    return dict(list(titles.items())[:count])


def begin_drill(
    vendored: Vendored,
    faults: Iterable[str],
    titles: dict[str, str],
    *options: str,
    values: Iterable[str] = (),
    credentials: Mapping[str, str] | None = None,
) -> Begun:
    """The target counted before, and the proxy's door open. ``values``: what the agreed field holds where it is not the title."""
    project, told = a_project("demo"), io.StringIO()
    _save(project, vendored, credentials or {})
    call_command(
        "vendor_drill", "start", "--vendor", "Acme Flows", "--target", "cms-test", "--machine",
        "--items", str(len(titles)), *options,
        *(part for value in values or titles.values() for part in ("--value", value)),
        *(part for fault in faults for part in ("--fault", fault)),
        stdout=told,
    )  # fmt: skip
    started = json.loads(told.getvalue())
    return Begun(started["drill"], started["base_url"], project, vendored, titles)


def _save(project: Project, vendored: Vendored, credentials: Mapping[str, str]) -> None:
    system, way = vendored.system, vendored.system.connection()
    save_target(
        project=project,
        name="cms-test",
        kind=system.kind,
        base_url=way.base_url,
        declaration=way.declaration,
        profile=default_profiles(system.kind)[system.guard].numbers,
        credentials={**way.credentials, **credentials},
        allow_inside=True,
        is_test=True,
    )
