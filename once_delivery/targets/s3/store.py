"""Signed requests to one bucket. Signatures are botocore's; the sending is the house's own.

A client of boto3 would try again, follow a redirect to another region and look for credentials on the machine, has no
end of time for a whole request, and does not tell whether a byte had left when it failed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode, urlsplit

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

from once_delivery.common.http import HttpClient, HttpError, HttpRequest, HttpResult
from once_delivery.targets.http_json.documents import UnreadableError
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reading import retry_after
from once_delivery.targets.s3.parameters import Parameters
from once_delivery.targets.s3.xml import error_of, parse, words_of

# what is read into memory at most: a draft; a file is never read, and a page of a listing has a megabyte
BODY_CAP = 32 * 1024 * 1024
_OK = range(200, 300)
# the store's words → ours; what is not here is named after its status
CODES = {
    "AccessDenied": "forbidden",
    "AllAccessDisabled": "forbidden",
    "AuthorizationHeaderMalformed": "wrong-region",
    "ConditionalRequestConflict": "conflict-in-flight",
    "ExpiredToken": "token-expired",
    "InvalidAccessKeyId": "unknown-access-key",
    "InvalidToken": "token-expired",
    "MethodNotAllowed": "not-implemented",
    "NoSuchBucket": "no-bucket",
    "NoSuchKey": "not-found",
    "NotImplemented": "not-implemented",
    "OperationAborted": "conflict-in-flight",
    "PermanentRedirect": "wrong-region",
    "PreconditionFailed": "already-exists",
    "RequestTimeTooSkewed": "clock-skewed",
    "RequestTimeout": "body-too-slow",
    "SignatureDoesNotMatch": "wrong-secret",
    "SlowDown": "slow-down",
    "TemporaryRedirect": "wrong-region",
}


@dataclass(frozen=True, slots=True)
class Store:
    """One bucket, and who asks."""

    parameters: Parameters
    base_url: str
    client: HttpClient
    credentials: Credentials = field(repr=False)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be seen in evidence."""
        return tuple(part for part in (self.credentials.secret_key, self.credentials.token) if part)

    def url(self, key: str = "", query: Mapping[str, str] | None = None) -> str:
        """The address of an object, or of the bucket."""
        bucket = f"/{self.parameters.bucket}" if self.parameters.style == "path" else ""
        path = f"{bucket}/{quote(key, safe='/~')}" if key else bucket or "/"
        return self.base_url + path + (f"?{urlencode(query, quote_via=quote, safe='~')}" if query else "")

    def request(
        self,
        method: str,
        key: str = "",
        *,
        deadline_s: float,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        signed: bool = True,
    ) -> HttpRequest:
        """A request with its signature, which holds for a quarter of an hour."""
        url = self.url(key, query)
        given = dict(headers or {})
        if signed:
            given = self._signed(method, url, given, body)
        # after the signature: what stands between may change it, and an ETag is of what is stored
        given["accept-encoding"] = "identity"
        return HttpRequest(method, url, deadline_s, given, body=body, body_cap=BODY_CAP)

    def _signed(self, method: str, url: str, headers: dict[str, str], body: bytes) -> dict[str, str]:
        if self.parameters.signed_host:
            url = urlsplit(url)._replace(netloc=self.parameters.signed_host).geturl()
        request = AWSRequest(method=method, url=url, headers=headers, data=body)
        request.context["client_config"] = _SIGN_THE_BODY
        S3SigV4Auth(self.credentials, "s3", self.parameters.region).add_auth(request)
        return dict(request.headers.items())


_SIGN_THE_BODY = Config(s3={"payload_signing_enabled": True})


@dataclass(frozen=True, slots=True)
class Reads:
    """Reads of one look or one inventory, all within one end of time. Raises CutError for what proves nothing."""

    store: Store
    ends: float  # monotonic

    @classmethod
    def within(cls, seconds: float, store: Store) -> Reads:
        return cls(store, time.monotonic() + seconds)

    def left(self) -> float:
        """Seconds that are left; raises CutError."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise CutError("deadline")
        return left

    def result(
        self,
        method: str,
        key: str = "",
        query: Mapping[str, str] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        signed: bool = True,
    ) -> HttpResult:
        """The answer, whatever its status."""
        request = self.store.request(
            method, key, deadline_s=self.left(), query=query, headers=headers, signed=signed
        )
        try:
            return self.store.client.send(request)
        except HttpError as error:
            raise CutError(error.code, detail=error.detail) from None

    def fine(self, result: HttpResult) -> HttpResult:
        """``result`` when it is a whole 2xx; raises CutError with what the store says is wrong."""
        if result.status in _OK:
            if result.cut:
                raise CutError(result.cut, http_status=result.status)
            return result
        raise CutError(
            CODES.get(error_of(result)[0], f"http-{result.status}"),
            http_status=result.status,
            retry_after_s=retry_after(result),
            detail=words_of(result),
        )


def unreadable(result: HttpResult) -> CutError:
    """A 2xx whose body is not what was asked for."""
    try:
        parse(result)
    except UnreadableError as error:
        return CutError(error.code, http_status=result.status)
    return CutError("unreadable-page", http_status=result.status)
