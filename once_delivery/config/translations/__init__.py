"""Translations without GNU gettext: Babel reads, writes and compiles the catalogs."""

from __future__ import annotations
