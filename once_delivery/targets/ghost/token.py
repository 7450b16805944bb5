"""Who speaks to the site: the key of a person on the staff or of an integration, as a token of its own for each request."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext_noop

from once_delivery.common.errors import InvalidInputError, Problem
from once_delivery.targets.http_json.address import credentials_of

NAME = "admin_api_key"
LIFE_S = 300  # Ghost takes no older one
_KEY = re.compile(r"([0-9a-f]{24}):((?:[0-9a-f]{2}){16,64})")


@dataclass(frozen=True, slots=True)
class AdminKey:
    """A staff access token or an Admin API key; ``secrets`` must never be stored or shown."""

    key_id: str = field(repr=False)
    secret: bytes = field(repr=False)

    @classmethod
    def read(cls, credentials: Mapping[str, str]) -> AdminKey:
        """Raises InvalidInputError for a credential that is missing or is no such key."""
        (given,) = credentials_of(credentials, NAME)
        match = _KEY.fullmatch(given.strip())
        if match is None:
            problem = Problem(
                code="credential-malformed",
                template=gettext_noop(
                    "%(pointer)s: “%(name)s” is not a key as Ghost gives it out (id:secret)."
                ),
                params={"pointer": f"/credentials/{NAME}", "name": NAME},
                pointer=f"/credentials/{NAME}",
            )
            raise InvalidInputError((problem,))
        return cls(match[1], bytes.fromhex(match[2]))

    @property
    def secrets(self) -> tuple[str, ...]:
        """Everything that must not be shown."""
        return (f"{self.key_id}:{self.secret.hex()}", self.secret.hex())

    def headers(self, *, now: float | None = None) -> dict[str, str]:
        """For one request: a JSON Web Token (HS256) that is valid for five minutes."""
        made = int(time.time() if now is None else now)
        head = _part({"alg": "HS256", "kid": self.key_id, "typ": "JWT"})
        claims = _part({"aud": "/admin/", "exp": made + LIFE_S, "iat": made})
        signed = f"{head}.{claims}"
        seal = _text(hmac.new(self.secret, signed.encode(), hashlib.sha256).digest())
        return {
            "Authorization": f"Ghost {signed}.{seal}",
            "Accept": "application/json",
            "Accept-Version": "v5.0",
        }


def _part(document: Mapping[str, object]) -> str:
    return _text(json.dumps(document, separators=(",", ":")).encode())


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
