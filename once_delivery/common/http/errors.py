"""What is known after a request that brought no status line: two words, and codes that say why."""

from __future__ import annotations


class HttpError(Exception):
    """``code`` is stable and kebab-case; ``detail`` is for the evidence and holds no secret."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


class NotSentError(HttpError):
    """Not a byte of the request has left this process.

    Codes: bad-url, bad-request, dns-failed, dns-timeout, address-refused, connect-refused, connect-timeout,
    connect-failed, tls-failed, tls-timeout, deadline-over, reset-before-write.
    """


class NoAnswerError(HttpError):
    """A byte may have left, and no status line with its headers came back: it may have been done.

    Codes: deadline, reset, closed, bad-response.
    """
