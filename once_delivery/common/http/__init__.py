"""Outbound HTTP: one hardened client, and nothing else in the house opens a connection to a target."""

from __future__ import annotations

from once_delivery.common.http.client import HttpClient
from once_delivery.common.http.errors import HttpError, NoAnswerError, NotSentError
from once_delivery.common.http.message import HttpRequest, HttpResult

__all__ = ["HttpClient", "HttpError", "HttpRequest", "HttpResult", "NoAnswerError", "NotSentError"]
