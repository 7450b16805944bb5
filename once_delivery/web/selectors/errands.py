"""How far the connection test, the probe and the audit of a target are: read from rows, so that a reload loses nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext

from once_delivery.targets.check_words import name_words, todo_words
from once_delivery.targets.models import Errand, ErrandKind, Probe, ProbeObject, Target
from once_delivery.targets.probing.experiments import asked_of
from once_delivery.targets.profile import Profile
from once_delivery.web.wording import TROUBLES
from reconciliation.models import Audit, AuditedObject


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One line of a connection test, with what to do when it failed."""

    name: str
    ok: bool
    code: str
    detail: str
    todo: str


@dataclass(frozen=True, slots=True)
class ErrandNow:
    """The latest errand of a kind. Of a probe ``done`` of ``total`` claims; of an audit ``done`` objects read."""

    errand: Errand
    lines: list[CheckLine]
    done: int = 0
    total: int = 0
    made: int = 0
    removed: int = 0
    per_minute: int = 0
    left_s: int = 0
    uuid: str = ""  # of the probe or audit

    @property
    def took(self) -> timedelta:
        end = self.errand.ended_at or timezone.now()
        return end - (self.errand.taken_at or self.errand.asked_at)

    @property
    def seconds(self) -> int:
        return max(0, int(self.took.total_seconds()))

    @property
    def trouble(self) -> str:
        return trouble_words(self.errand)

    @property
    def fine(self) -> bool:
        return all(line.ok for line in self.lines)

    @property
    def waits(self) -> bool:
        """No worker has taken it for longer than one takes."""
        waited = timezone.now() - self.errand.asked_at
        return self.errand.status == "asked" and waited > timedelta(seconds=15)


def errands_now(target: Target) -> dict[str, ErrandNow]:
    """The latest of each kind."""
    found = Errand.objects.filter(target=target).order_by("kind", "-asked_at", "-pk").distinct("kind")
    return {one.kind: _now(one) for one in found.select_related("asked_by")}


def _now(errand: Errand) -> ErrandNow:
    if errand.kind == ErrandKind.PROBE:
        return _probe(errand)
    if errand.kind == ErrandKind.AUDIT:
        return _audit(errand)
    return ErrandNow(errand, [_line(one) for one in errand.result])


def _line(one: dict[str, object]) -> CheckLine:
    ok, code = one.get("ok") is True, str(one.get("code", ""))
    name = str(one.get("name", ""))
    return CheckLine(
        name_words(name), ok, code, str(one.get("detail", "")), "" if ok and not code else todo_words(code)
    )


def _probe(errand: Errand) -> ErrandNow:
    probe = _probe_of(errand)
    if probe is None:
        return ErrandNow(errand, [])
    objects = ProbeObject.objects.filter(marker__probe=probe).aggregate(
        made=Count("pk"), removed=Count("pk", filter=Q(removed_at__isnull=False))
    )
    return ErrandNow(
        errand,
        [],
        done=probe.measurements.count(),
        total=len(asked_of(Profile.from_json(probe.profile_data))),
        made=objects["made"],
        removed=objects["removed"],
        uuid=str(probe.uuid),
    )


def _probe_of(errand: Errand) -> Probe | None:
    if errand.taken_at is None:
        return None
    found = Probe.objects.filter(target_id=errand.target_id, started_at__gte=errand.taken_at)
    if errand.ended_at:
        found = found.filter(started_at__lte=errand.ended_at)
    return found.order_by("started_at").first()


def _audit(errand: Errand) -> ErrandNow:
    if errand.taken_at is None:
        return ErrandNow(errand, [])
    found = Audit.objects.filter(target_id=errand.target_id, run__started_at__gte=errand.taken_at)
    audit = found.order_by("run__started_at").first()
    if audit is None:
        return ErrandNow(errand, [])
    if errand.is_over:
        return ErrandNow(errand, [], done=int(audit.counts.get("objects", 0)), uuid=str(audit.uuid))
    read = AuditedObject.objects.filter(audit=audit).count()
    return ErrandNow(
        errand, [], done=read, total=_before(audit), uuid=str(audit.uuid), **_speed(errand, read, audit)
    )


def _before(audit: Audit) -> int:
    """How many objects the last whole list had: about as many as there are now."""
    last = Audit.objects.filter(target_id=audit.target_id, status="complete", scope="everything")
    known = last.order_by("-started_at").values_list("counts", flat=True).first()
    return int(known.get("objects", 0)) if known and audit.scope == "everything" else 0


def _speed(errand: Errand, read: int, audit: Audit) -> dict[str, int]:
    if errand.taken_at is None or not read:
        return {}
    seconds = max(1.0, (timezone.now() - errand.taken_at).total_seconds())
    left = _before(audit) - read
    return {
        "per_minute": round(read / seconds * 60),
        "left_s": round(left * seconds / read) if left > 0 else 0,
    }


def trouble_words(errand: Errand) -> str:
    """Why it was not done, in the reader's language."""
    trouble = errand.trouble
    if not trouble:
        return ""
    if not trouble.get("template"):
        return str(TROUBLES.get(trouble.get("code", ""), trouble.get("code", "")))
    return str(gettext(str(trouble["template"])) % trouble.get("params", {}))
