"""Targets that only outside workflows reach: they ask for a permit, act, and report (DESIGN 6.3)."""

from __future__ import annotations
