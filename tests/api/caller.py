"""A program that calls the API, and what it sends."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from once_delivery.accounts.models import ApiToken, Project, Role
from once_delivery.accounts.secret_links import hash_of, new_secret

BASE = "/api/v1"


@dataclass(frozen=True)
class Caller:
    """Calls with one token."""

    secret: str
    token: ApiToken
    language: str = "en"

    def call(self, method: str, path: str, said: Any = None, **headers: str) -> Any:
        data = said if isinstance(said, str | bytes) else json.dumps(said) if said is not None else ""
        return Client().generic(
            method,
            f"{BASE}{path}",
            data,
            content_type="application/json",
            headers={
                "authorization": f"Bearer {self.secret}",
                "accept-language": self.language,
                **{name.replace("_", "-"): value for name, value in headers.items()},
            },
        )

    def post(self, path: str, said: Any = None, **headers: str) -> Any:
        return self.call("POST", path, {} if said is None else said, **headers)

    def get(self, path: str) -> Any:
        return self.call("GET", path)


def a_caller(project: Project, role: str = Role.OPS_OWNER, *, language: str = "en", days: int = 1) -> Caller:
    secret = new_secret("once_")
    token = ApiToken.objects.create(
        project=project,
        name=f"n8n {role}",
        role=role,
        beginning=secret[:10],
        secret_hash=hash_of(secret),
        created_by=project.default_owner,
        expires_at=timezone.now() + timedelta(days=days),
    )
    return Caller(secret, token, language)


def an_identity(product: str = "kettle", **changes: Any) -> dict[str, Any]:
    return {"product": product, "locale": "de-DE", "purpose": "product-page", "input_version": 1, **changes}


def an_item(product: str = "kettle", **changes: Any) -> dict[str, Any]:
    return {
        "identity": an_identity(product),
        "brief": {"text": f"brief of {product}"},
        "target": "cms",
        "content": {"title": product, "body": "<p>…</p>"},
        **changes,
    }


def an_ask(product: str = "kettle", **changes: Any) -> dict[str, Any]:
    return an_item(product, **changes)
