"""What is stored about targets: how they are reached, what they claim, and what probes have measured."""

from __future__ import annotations

from once_delivery.targets.models.errand import Errand, ErrandKind, ErrandStatus
from once_delivery.targets.models.probe import (
    Measurement,
    Probe,
    ProbeMarker,
    ProbeObject,
    ProbeStatus,
    ProbeVerdict,
)
from once_delivery.targets.models.target import Target

__all__ = [
    "Errand",
    "ErrandKind",
    "ErrandStatus",
    "Measurement",
    "Probe",
    "ProbeMarker",
    "ProbeObject",
    "ProbeStatus",
    "ProbeVerdict",
    "Target",
]
