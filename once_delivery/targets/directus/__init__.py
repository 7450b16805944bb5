"""Directus 11 and later, through its REST API."""

from __future__ import annotations
