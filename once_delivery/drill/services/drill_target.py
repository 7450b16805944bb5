"""Run the acceptance drill on ONCE itself against a configured test target, through a proxy that loses answers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from once_delivery.accounts.models import User
from once_delivery.drill.connector_judge import ConnectorJudge
from once_delivery.drill.errors import NoTestTargetError
from once_delivery.drill.judge import Judge
from once_delivery.drill.losing_proxy import LosingProxy
from once_delivery.drill.models import Drill
from once_delivery.drill.notebook import Notebook
from once_delivery.drill.products import three_products
from once_delivery.drill.rounds import run_round
from once_delivery.drill.scenario import Item, items
from once_delivery.drill.setting_up import make_batch
from once_delivery.targets.base import Kind
from once_delivery.targets.connecting import connected
from once_delivery.targets.inside import own_place
from once_delivery.targets.models import Target
from once_delivery.targets.registry import behind_proxy

# a real system is slower than the sandbox, but a drill must not take the hour that a profile may grant
TIMES = {"deadline_s": 4.0, "settle_s": 4.0, "look_up_every_s": 0.5, "concurrency": 1, "patience_s": 40.0}
RECOVERIES = (1, 2)


def drill_target(
    *,
    target: Target,
    locales: Sequence[str] = ("en-US",),
    user: User | None = None,
    asked: Drill | None = None,
) -> Drill:
    """Afterwards the drill has its report, judged by the target's own inventory. Its drafts stay in the target.

    ``asked``: the row of a drill that was asked for on a page. Its report grows round by round.

    Raises NoTestTargetError, ProductsMissingError, or DrillBrokenError when the drill itself went wrong.
    """
    if not target.is_test:
        raise NoTestTargetError(name=target.name)
    wanted = items(three_products(target.project), locales)
    drill = asked or Drill.objects.create(project=target.project, started_by=user)
    rounds: list[dict[str, Any]] = []
    notebook = Notebook(drill, target=target.base_url, locales=locales, total=len(RECOVERIES))
    try:
        with tempfile.TemporaryDirectory() as folder, _stand_in(target, drill) as stand_in:
            for recoveries in RECOVERIES:
                rounds.append(_round(stand_in, wanted, recoveries, folder=Path(folder), user=user))
                notebook.note(rounds[-1])
        notebook.end(rounds)
    except BaseException as error:
        notebook.broken(rounds, error)
        raise
    return drill


@dataclass(frozen=True, slots=True)
class _StandIn:
    """The target as the drill uses it: reached through the proxy, with times that a drill can wait for."""

    target: Target
    judge: Judge


@contextmanager
def _stand_in(target: Target, drill: Drill) -> Iterator[_StandIn]:
    with (
        LosingProxy(target.base_url, allow_inside=target.may_go_inside) as proxy,
        own_place(proxy.base_url),
        connected(target) as connector,
    ):
        stand_in = Target.objects.create(
            project=target.project,
            name=f"drill-{drill.uuid.hex[:8]}",
            kind=target.kind,
            base_url=proxy.base_url,
            declaration=dict(behind_proxy(target.kind, target.declaration, target.base_url)),
            profile_data={**target.profile_data, **TIMES},
            credentials_sealed=target.credentials_sealed,
            allow_inside=True,  # the proxy is on this machine
            is_test=True,
            by_hand=True,
            of_drill=True,
        )
        judge = ConnectorJudge(connector, proxy, page=target.base_url, kind=Kind.CREATE_DRAFT)
        yield _StandIn(stand_in, judge)
    # the proxy is gone; what people decide later goes to the target itself. A drill that broke leaves it alone.
    Target.objects.filter(pk=stand_in.pk).update(
        base_url=target.base_url,
        declaration=target.declaration,
        allow_inside=target.allow_inside,
        by_hand=False,
    )


def _round(
    stand_in: _StandIn, wanted: list[Item], recoveries: int, *, folder: Path, user: User | None
) -> dict[str, Any]:
    prepared = make_batch(
        project=stand_in.target.project,
        target=stand_in.target,
        judge=stand_in.judge,
        items=wanted,
        name=f"{stand_in.target.name}-{recoveries}",
        user=user,
    )
    guard = stand_in.target.profile.guard
    return run_round(prepared=prepared, guard=guard, recoveries=recoveries, folder=folder)
