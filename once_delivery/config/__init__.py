"""The roof: settings, addresses, Celery, logging, checks."""

from __future__ import annotations
