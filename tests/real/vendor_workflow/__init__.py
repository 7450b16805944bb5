"""Two vendors whose workflow is a Celery script: one that retries as its framework does, one that asks ONCE first."""

from __future__ import annotations
