"""Which experiments there are, in which order, and what each says when it cannot be made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from once_delivery.targets.probing import guarding, in_place, keys, looking, publishing, timing
from once_delivery.targets.probing.findings import Claim, Finding, NotMeasuredError, Verdict, claimed_text
from once_delivery.targets.probing.lab import Lab
from once_delivery.targets.profile import Consistency, Guard, Profile


@dataclass(frozen=True, slots=True)
class Experiment:
    """``claims``: what it measures. ``applies``: whether the profile claims that at all."""

    run: Callable[[Lab], list[Finding]]
    claims: Callable[[Profile], tuple[Claim, ...]]


def _protected(profile: Profile) -> tuple[Claim, ...]:
    if profile.guard not in guarding.PROTECTS:
        return ()
    return (Claim.GUARD, Claim.SECOND_CREATE, Claim.AT_ONCE, Claim.OTHER_CONTENT)


def _found(profile: Profile) -> tuple[Claim, ...]:
    if not profile.look_up:
        return ()
    claims = [Claim.LOOK_UP]
    if profile.guard == Guard.LOOKUP:
        claims.append(Claim.GUARD)
    if profile.consistency != Consistency.UNKNOWN:
        claims.append(Claim.CONSISTENCY)
    if profile.consistency == Consistency.BOUNDED:
        claims.append(Claim.INDEX_LAG)
    return tuple(claims)


def _window(profile: Profile) -> tuple[Claim, ...]:
    return (Claim.WINDOW,) if profile.guard == Guard.IDEMPOTENCY_KEY else ()


EXPERIMENTS = (
    Experiment(publishing.account, lambda _: (Claim.CANNOT_PUBLISH,)),
    Experiment(looking.absence, lambda profile: (Claim.ABSENCE,) if profile.look_up else ()),
    Experiment(looking.finding_again, _found),
    Experiment(guarding.protection, _protected),
    Experiment(keys.window, _window),
    Experiment(in_place.version_guard, lambda _: (Claim.UPDATE,)),
    Experiment(publishing.drafts_stay, lambda _: (Claim.STAYS_DRAFT,)),
    Experiment(timing.deadline, lambda _: (Claim.DEADLINE,)),
    Experiment(timing.settling, lambda _: (Claim.SETTLE,)),
)


def asked_of(profile: Profile) -> frozenset[Claim]:
    """The claims that a probe of ``profile`` says something about."""
    asked = {claim for experiment in EXPERIMENTS for claim in experiment.claims(profile)}
    return frozenset(asked | {Claim.REMOVED})


def run_all(lab: Lab) -> Iterator[Finding]:
    """The findings of every experiment that the profile asks for, as they come."""
    for experiment in EXPERIMENTS:
        claims = experiment.claims(lab.profile)
        if not claims:
            continue
        try:
            yield from experiment.run(lab)
        except NotMeasuredError as error:
            for claim in claims:
                claimed = claimed_of(lab.profile, claim)
                yield Finding(claim, claimed, Verdict.NOT_MEASURED, error.seen, error.numbers)


_TEXTS: Mapping[Claim, Callable[[Profile], str]] = {
    **dict.fromkeys(
        (Claim.GUARD, Claim.SECOND_CREATE, Claim.AT_ONCE, Claim.OTHER_CONTENT),
        lambda profile: str(profile.guard),
    ),
    **dict.fromkeys((Claim.LOOK_UP, Claim.ABSENCE), lambda profile: claimed_text(profile.look_up)),
    Claim.CONSISTENCY: lambda profile: str(profile.consistency),
    Claim.UPDATE: lambda _: "version",
    Claim.CANNOT_PUBLISH: lambda _: "true",
    Claim.STAYS_DRAFT: lambda _: "true",
    Claim.REMOVED: lambda _: "",
}


def claimed_of(profile: Profile, claim: Claim) -> str:
    """What a profile says of one claim, as text; "" where it says nothing."""
    text = _TEXTS.get(claim)
    return text(profile) if text else claimed_text(getattr(profile, claim.value))
