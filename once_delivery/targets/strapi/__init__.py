"""Strapi 5 through its REST API, with and without our plugin."""

from __future__ import annotations
