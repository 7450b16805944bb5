"""API v1: its calls, and how what goes wrong is told."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import ValidationError
from ninja.parser import Parser
from ninja.security import HttpBearer

from once_delivery.accounts.models import ApiToken
from once_delivery.api import problems
from once_delivery.api.door import ApiRequest
from once_delivery.api.misfits import misfit
from once_delivery.api.roles import RoleNotAllowedError
from once_delivery.api.routes import batches, deliveries, permits, reports
from once_delivery.common.errors import DomainError


class Bearer(HttpBearer):
    """The door has asked already; this says so in the description."""

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        return getattr(request, "token", None)


class _Read(Parser):
    """The door has read the body already, strictly."""

    def parse_body(self, request: HttpRequest) -> Any:
        return getattr(request, "said", {})


api = NinjaAPI(
    title="ONCE delivery",
    version="1",
    description="Ask for a delivery, or for a permit to make it yourself; either way it exists once.",
    urls_namespace="api",
    auth=Bearer(),
    parser=_Read(),
    docs_url=None,
    openapi_url=None,
)
for part in (deliveries, batches, permits, reports):
    api.add_router("", part.router)


@api.exception_handler(ValidationError)
def _misfit(request: HttpRequest, error: ValidationError) -> HttpResponse:
    return problems.of_problems([misfit(one) for one in error.errors])


@api.exception_handler(DomainError)
def _refused(request: HttpRequest, error: DomainError) -> HttpResponse:
    return problems.of_domain(error)


@api.exception_handler(RoleNotAllowedError)
def _role(request: HttpRequest, error: RoleNotAllowedError) -> HttpResponse:
    return problems.problem(403)


@api.exception_handler(Http404)
def _absent(request: HttpRequest, error: Http404) -> HttpResponse:
    return problems.problem(404)


def nothing_here(request: ApiRequest, rest: str) -> HttpResponse:
    """No such address."""
    return problems.problem(404)
