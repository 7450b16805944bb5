"""Wagtail 8 and later, through its API v3."""

from __future__ import annotations
