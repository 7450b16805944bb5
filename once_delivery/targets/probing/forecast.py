"""What a probe of a profile will make at most, said before it is started. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from once_delivery.targets.probing import keys, timing
from once_delivery.targets.probing.experiments import asked_of
from once_delivery.targets.probing.extent import Extent
from once_delivery.targets.probing.guarding import PROTECTS
from once_delivery.targets.profile import Guard, Profile


@dataclass(frozen=True, slots=True)
class Forecast:
    """``drafts``: identities under which something is created. ``creates``: requests that create. ``claims``: lines of
    the report."""

    drafts: int
    creates: int
    claims: int


def forecast(profile: Profile, extent: Extent | None = None) -> Forecast:
    """The most that a probe makes when everything can be measured."""
    extent = extent or Extent()
    looks = extent.looks if profile.look_up else 0
    drafts, creates = looks + 1, looks + 1  # one for the update in place
    if profile.guard in PROTECTS:
        rounds = extent.rounds if profile.concurrency > 1 else 0
        again = 1 if profile.guard == Guard.IDEMPOTENCY_KEY else 0
        drafts += 2 + rounds
        creates += 4 + rounds * (min(extent.at_once, profile.concurrency) + again)
    if profile.guard == Guard.IDEMPOTENCY_KEY:
        drafts += len(keys.SHARES)
        creates += 2 * len(keys.SHARES)
    if profile.look_up:
        drafts += len(timing.SHARES)
        creates += len(timing.SHARES)
    return Forecast(drafts, creates, len(asked_of(profile)))
