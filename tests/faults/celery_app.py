"""The house's Celery application with a place to stop at: ``celery -A tests.faults.celery_app worker``."""

from __future__ import annotations

import json
import os

import django

from once_delivery.config.celery import app
from tests.faults.stops import Stop, install

__all__ = ["app"]

django.setup()
if os.environ.get("ONCE_TEST_STOP"):
    install(Stop.from_json(json.loads(os.environ["ONCE_TEST_STOP"])))
