"""Keeping and forgetting (DESIGN section 10): each project says for how long its content is kept."""

from __future__ import annotations
