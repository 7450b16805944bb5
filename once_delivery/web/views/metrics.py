"""Figures for Prometheus."""

from __future__ import annotations

import hmac

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from once_delivery.web.selectors.vitals import Vitals

_THIS_MACHINE = frozenset({"127.0.0.1", "::1"})


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """For this machine, or for whoever brings the token; others are told nothing."""
    if not _allowed(request):
        return HttpResponse(status=404)
    registry = CollectorRegistry()
    registry.register(Vitals())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _allowed(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    if token:
        return hmac.compare_digest(
            request.headers.get("Authorization", "").encode(), f"Bearer {token}".encode()
        )
    # what a proxy passes on comes from elsewhere, whatever address it has
    passed_on = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
    return request.META.get("REMOTE_ADDR") in _THIS_MACHINE and not passed_on
