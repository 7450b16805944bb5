"""Ghost 5 and later, through its Admin API."""

from __future__ import annotations
