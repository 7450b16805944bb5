"""How a request to a service proves who asks: the ways that all connectors know, and a signed token of short life."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from once_delivery.targets.http_json.address import credentials_of
from once_delivery.targets.http_json.auth import read_auth

LIFE_S = 1800
_BACK_S = 5  # the service's clock may be a little behind

Headers = Callable[[], Mapping[str, str]]


def prover(declared: Mapping[str, Any], credentials: Mapping[str, str]) -> tuple[Headers, tuple[str, ...]]:
    """What makes the headers of each request, and the secrets that nothing may show; raises InvalidInputError."""
    if declared["scheme"] != "jwt":
        auth = read_auth(declared, credentials)
        return (lambda: auth.headers), auth.secrets
    access, secret = credentials_of(credentials, declared["access_key"], declared["secret_key"])
    return (lambda: {"Authorization": f"Bearer {signed_token(access, secret, now=time.time())}"}), (
        access,
        secret,
    )


def signed_token(access_key: str, secret_key: str, *, now: float) -> str:
    """A JSON Web Token (HS256) with the claims that Kling documents: iss, exp, nbf and no other."""
    head = {"alg": "HS256", "typ": "JWT"}
    claims = {"iss": access_key, "exp": int(now) + LIFE_S, "nbf": int(now) - _BACK_S}
    signed = f"{_part(head)}.{_part(claims)}"
    signature = hmac.new(secret_key.encode(), signed.encode("ascii"), hashlib.sha256).digest()
    return f"{signed}.{_base64(signature)}"


def _part(data: Mapping[str, Any]) -> str:
    return _base64(json.dumps(data, separators=(",", ":")).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
