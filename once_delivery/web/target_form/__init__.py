"""The form of a target, built from what its connector declares."""

from __future__ import annotations
