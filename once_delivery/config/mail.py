"""Where e-mails go, from one address."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

_STARTTLS_PORT, _TLS_PORT = 587, 465


@dataclass(frozen=True, slots=True)
class MailSettings:
    """Django's settings for e-mail."""

    backend: str
    folder: str = ""
    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False


def mail_settings(address: str, *, folder: Path) -> MailSettings:
    """``smtp://`` means STARTTLS, but for a server on this machine; ``smtps://`` TLS from the first byte."""
    if not address:
        return MailSettings("django.core.mail.backends.filebased.EmailBackend", folder=str(folder))
    parts = urlsplit(address)
    tls = parts.scheme == "smtps"
    host = parts.hostname or "localhost"
    return MailSettings(
        "django.core.mail.backends.smtp.EmailBackend",
        host=host,
        port=parts.port or (_TLS_PORT if tls else _STARTTLS_PORT),
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=not tls and host not in {"localhost", "127.0.0.1", "::1"},
        tls=tls,
    )
