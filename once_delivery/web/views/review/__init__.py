"""Drafts and what people decide about them: the list, one draft, many at once, and the page of a link."""

from __future__ import annotations
