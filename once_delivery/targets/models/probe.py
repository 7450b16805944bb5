"""Probes of a target: what was claimed, what was measured, and what each made there."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from once_delivery.accounts.models import User
from once_delivery.targets.base import Kind
from once_delivery.targets.models.target import Target


class ProbeStatus(models.TextChoices):
    """How far a probe came."""

    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    BROKEN = "broken", _("broken off")


class ProbeVerdict(models.TextChoices):
    """``probing.findings.Verdict``, with its words."""

    CONFIRMED = "confirmed", _("confirmed")
    REFUTED = "refuted", _("refuted")
    DOUBTFUL = "doubtful", _("doubtful")
    NOT_MEASURED = "not_measured", _("not measured")


class Probe(models.Model):
    """One probe. ``profile_data`` is what was claimed when it began; ``settings_hash`` says how the target was reached."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="probes")
    profile_data = models.JSONField()
    settings_hash = models.CharField(max_length=64)
    kind = models.CharField(
        max_length=20, default=Kind.CREATE_DRAFT
    )  # what it made: what holds for drafts need not for files
    status = models.CharField(max_length=10, choices=ProbeStatus.choices, default=ProbeStatus.RUNNING)
    started_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="probes")
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["target", "-started_at"], name="probe_newest")]

    def __str__(self) -> str:
        return str(self.uuid)


class Measurement(models.Model):
    """One claim beside what was measured. Append-only (R10)."""

    probe = models.ForeignKey(Probe, on_delete=models.PROTECT, related_name="measurements")
    claim = models.CharField(max_length=20)
    claimed = models.CharField(max_length=40)
    verdict = models.CharField(max_length=12, choices=ProbeVerdict.choices)
    seen = models.CharField(max_length=40)  # a code of probing/wording.py
    numbers = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["probe", "claim"], name="measured_once_a_probe"),
        ]

    def __str__(self) -> str:
        return f"{self.claim}: {self.verdict}"


class ProbeMarker(models.Model):
    """An identity under which a probe creates; committed before the first request for it leaves (R1)."""

    probe = models.ForeignKey(Probe, on_delete=models.PROTECT, related_name="markers")
    marker = models.CharField(max_length=40, unique=True)
    kind = models.CharField(max_length=20)
    requests = models.PositiveIntegerField(default=0)  # that could make something
    answered = models.PositiveIntegerField(default=0)  # of them, definitely
    intended_at = models.DateTimeField()
    arrives_until = models.DateTimeField()  # deadline and settle time of the last one are over then
    closed_at = models.DateTimeField(null=True)  # nothing of it is left, and nothing can come any more

    class Meta:
        indexes = [
            models.Index(fields=["probe"], condition=models.Q(closed_at=None), name="probe_marker_open")
        ]

    def __str__(self) -> str:
        return self.marker


class ProbeObject(models.Model):
    """One object at the target that carries a probe's marker, and what became of it."""

    marker = models.ForeignKey(ProbeMarker, on_delete=models.PROTECT, related_name="objects_made")
    result_id = models.CharField(max_length=300)
    url = models.CharField(max_length=1000, blank=True)
    seen_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True)
    why_left = models.CharField(max_length=60, blank=True)  # why it could not be removed

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["marker", "result_id"], name="probe_object_once"),
        ]

    def __str__(self) -> str:
        return self.result_id
