"""The probe: experiments that hold a capability profile against its target (docs/targets.md, "The probe")."""

from __future__ import annotations
