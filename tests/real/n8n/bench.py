"""One n8n before one house and one sandbox: a workflow of each kind can be put there for any case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.sandbox.client import SandboxAdmin
from once_delivery.targets.profile import Guard
from tests.real.n8n.cases import Case
from tests.real.n8n.house import House
from tests.real.n8n.places import Place, SandboxPlace, WordPressPlace
from tests.real.n8n.playing import Stage
from tests.real.n8n.templates import ON_WORDPRESS, filled_in, rewritten
from tests.real.systems.n8n import N8nServer


@dataclass(frozen=True, slots=True)
class Bench:
    """``before_house``: what n8n reaches ONCE through."""

    n8n: N8nServer
    house: House
    before_house: LosingProxy
    admin: SandboxAdmin
    before_sandbox: LosingProxy

    def space(self, name: str) -> SandboxPlace:
        """A space of the sandbox that is protected by nothing."""
        return SandboxPlace(self.admin, self.before_sandbox, name)

    def stage(self, kind: str, place: SandboxPlace, case: Case, *, guard: Guard = Guard.LOOKUP) -> Stage:
        """The workflow of this kind before a space of the sandbox, with a target for it that claims this guard."""
        if kind == "without-once":
            return alone(self.n8n, place, case)
        if kind == "gateway":
            target = self.house.target_in_sandbox(place, guard)
            parameters = {"target": target.name}
        else:
            target = self.house.target_by_permit(place.name, guard)
            parameters = {"target": target.name, "cms": place.base_url, "minutes_for_a_person": "0.05"}
        return self.filled_in(kind, place, case, parameters)

    def stage_on_wordpress(self, kind: str, place: WordPressPlace, case: Case) -> Stage:
        """The same before WordPress."""
        if kind == "gateway":
            target = self.house.target_on_wordpress(place)
            return self.filled_in(kind, place, case, {"target": target.name})
        target = self.house.target_by_permit(place.name)
        stage = self.filled_in(kind, place, case, {"target": target.name, "cms": place.base_url})
        rewritten(stage.workflow, ON_WORDPRESS[kind])
        return stage

    def filled_in(self, kind: str, place: Place, case: Case, parameters: Mapping[str, str]) -> Stage:
        """A template as a person fills it in after the import."""
        workflow = filled_in(
            kind,
            hook=place.name,
            parameters={"once": self.before_house.base_url, **parameters},
            credentials={
                "ONCE": self.n8n.add_header_credential(
                    f"{place.name} ONCE", "Authorization", f"Bearer {self.house.token}"
                ),
                "CMS": self.n8n.add_header_credential(
                    f"{place.name} CMS", "Authorization", place.authorization
                ),
            },
            node=case.node,
        )
        return Stage(place, workflow, hook=place.name, proxies=(self.before_house,))


def alone(n8n: N8nServer, place: Place, case: Case) -> Stage:
    """The workflow without ONCE."""
    workflow = filled_in(
        "without-once",
        hook=place.name,
        parameters={"cms": place.base_url},
        credentials={
            "CMS": n8n.add_header_credential(f"{place.name} CMS", "Authorization", place.authorization)
        },
        node=case.node,
    )
    if isinstance(place, WordPressPlace):
        rewritten(workflow, ON_WORDPRESS["without-once"])
    return Stage(place, workflow, hook=place.name)
