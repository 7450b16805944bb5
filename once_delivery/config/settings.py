"""All settings, from the environment; ``docs/`` lists the variables. Nothing is started here."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from once_delivery.config.database import database_settings
from once_delivery.config.env import Env
from once_delivery.config.house.running import is_served_here
from once_delivery.config.kept_secret import kept_secret
from once_delivery.config.logging import logging_settings
from once_delivery.config.mail import mail_settings

env = Env()

BASE_DIR = Path(__file__).resolve().parents[2]
STATE_DIR = env.path("ONCE_STATE_DIR", BASE_DIR / ".once")
DEBUG = env.boolean("ONCE_DEBUG", default=False)
SECRET_KEY = env.secret("SECRET_KEY", default=lambda: kept_secret(STATE_DIR / "secret_key"))
# Keys that seal the targets' credentials, the first one first; without any they derive from SECRET_KEY.
ONCE_SECRET_KEYS = env.secret("ONCE_SECRET_KEYS", default=str)
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")

# Where the house is reached. https:// in ONCE_SITE_URL turns on what only makes sense with TLS.
SITE_URL = env.url("ONCE_SITE_URL", schemes=("http", "https"), default="http://localhost:8000").rstrip("/")
ALLOWED_HOSTS = env.words("ONCE_ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = [SITE_URL, *env.words("ONCE_TRUSTED_ORIGINS")]
WITH_TLS = SITE_URL.startswith("https://")

INSTALLED_APPS = [
    "once_delivery.accounts",
    "once_delivery.notices",
    "once_delivery.targets",
    "once_delivery.ledger",
    "once_delivery.review",
    "reconciliation",
    "billing",
    "once_delivery.api",
    "once_delivery.vendor_drill",
    "once_delivery.intake",
    "once_delivery.retention",
    "once_delivery.drill",
    "once_delivery.ui",
    "once_delivery.web",
    "once_delivery.config",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials.apps.SimpleAppConfig",
    "csp",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "once_delivery.config.logging.RequestIdMiddleware",
    "once_delivery.config.refusing.RefuseNoLengthMiddleware",
    "once_delivery.config.refusing.RefuseNulMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "once_delivery.ui.answering.AnswerPagesMiddleware",
    "axes.middleware.AxesMiddleware",
    "once_delivery.config.refusing.RefuseUnstorableMiddleware",
]

ROOT_URLCONF = "once_delivery.config.urls"
WSGI_APPLICATION = "once_delivery.config.wsgi.application"

# Django 6 has partials built in; until then the loader of django-template-partials wraps Django's own.
_LOADERS = ["django.template.loaders.filesystem.Loader", "django.template.loaders.app_directories.Loader"]
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    _LOADERS if DEBUG else [("django.template.loaders.cached.Loader", _LOADERS)],
                ),
            ],
            "builtins": ["template_partials.templatetags.partials"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# PostgreSQL only. Without an address the embedded one in the state folder is used.
DATABASES: dict[str, dict[str, Any]] = {
    "default": database_settings(
        env.secret("DATABASE_URL", default=str),
        state_dir=STATE_DIR,
        durable=env.boolean("ONCE_POSTGRES_DURABLE", default=True),
        pool=env.boolean("ONCE_DATABASE_POOL", default=False),
    ),
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
_VALIDATORS = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"{_VALIDATORS}.UserAttributeSimilarityValidator"},
    {
        "NAME": "once_delivery.accounts.password_rules.LongEnoughValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": f"{_VALIDATORS}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATORS}.NumericPasswordValidator"},
]
LOGIN_URL = "/sign-in/"
PASSWORD_RESET_TIMEOUT = 2 * 3600  # seconds; the link opens a door
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
AXES_FAILURE_LIMIT = env.integer("ONCE_SIGN_IN_FAILURES", 10, least=1)
AXES_COOLOFF_TIME = 1  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False

OTP_TOTP_ISSUER = "ONCE delivery"

LANGUAGE_CODE = env.text("ONCE_LANGUAGE", "zh-hans", one_of=("zh-hans", "en"))
LANGUAGES = [("zh-hans", _("Simplified Chinese")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = env.text("ONCE_TIME_ZONE", "Asia/Shanghai")

STATIC_URL = "/static/"
STATIC_ROOT = STATE_DIR / "static"
STATICFILES_DIRS = [folder for folder in (BASE_DIR / "static",) if folder.is_dir()]
_STATIC_STORAGE = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
    if DEBUG
    else "whitenoise.storage.CompressedManifestStaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _STATIC_STORAGE},
}
MEDIA_ROOT = STATE_DIR / "media"

# Every page works without inline script or style; the sources are the house's own files only.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = WITH_TLS and env.boolean("ONCE_REDIRECT_TO_TLS", default=True)
SECURE_HSTS_SECONDS = env.integer("ONCE_HSTS_SECONDS", 31_536_000 if WITH_TLS else 0)
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env.boolean("ONCE_BEHIND_PROXY", default=False) else None
)
SESSION_COOKIE_SECURE = WITH_TLS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = WITH_TLS
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "once_delivery.ui.expired.form_expired"

# Celery: the message only wakes (R12). Without an address the queue lies in the same PostgreSQL.
CELERY_BROKER_URL = env.url(
    "CELERY_BROKER_URL",
    schemes=("pgmq", "amqp", "amqps", "redis", "rediss", "memory"),
    default="pgmq://database",
)
# A message that a killed worker held is seen again after this; the sweep has found its rows long before.
BROKER_REDELIVERY_SECONDS = env.integer("ONCE_REDELIVERY_SECONDS", 300, least=1)
NIGHTLY_AUDITS = env.boolean("ONCE_NIGHTLY_AUDITS", default=True)
NIGHTLY_AUDIT_HOUR = env.integer("ONCE_NIGHTLY_AUDIT_HOUR", 2, most=23)  # in ONCE_TIME_ZONE
WORKER_PREFETCH = env.integer("ONCE_WORKER_PREFETCH", 8, least=1, most=1000)

# E-mails: smtp://user:password@host:587 (STARTTLS) or smtps://…:465. Without an address they are files in the state folder.
_MAIL = mail_settings(env.url("ONCE_MAIL_URL", schemes=("smtp", "smtps")), folder=STATE_DIR / "mail")
EMAIL_BACKEND, EMAIL_FILE_PATH = _MAIL.backend, _MAIL.folder
EMAIL_HOST, EMAIL_PORT = _MAIL.host, _MAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _MAIL.user, _MAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL.starttls, _MAIL.tls
EMAIL_TIMEOUT = 15
MAIL_DOMAIN = urlsplit(SITE_URL).hostname or "localhost"
DEFAULT_FROM_EMAIL = env.text("ONCE_MAIL_FROM", f"once@{MAIL_DOMAIN}")
# Who names the addresses of webhooks and targets is any project's admin or ops owner, not the operator. On the machine
# where make run serves the demo its CMS are inside, for commands in another terminal too.
TARGETS_MAY_GO_INSIDE = env.boolean("ONCE_TARGETS_INSIDE", default=is_served_here(STATE_DIR))
WEBHOOKS_MAY_GO_INSIDE = env.boolean("ONCE_WEBHOOKS_INSIDE", default=False)

# Where vendors reach the proxy of their drills, and where it listens.
DRILL_PROXY_HOST = env.text("ONCE_DRILL_PROXY_HOST", "127.0.0.1")
DRILL_PROXY_PORT = env.integer("ONCE_DRILL_PROXY_PORT", 8300, most=65535)
DRILL_PROXY_URL = env.url(
    "ONCE_DRILL_PROXY_URL", schemes=("http", "https"), default=f"http://127.0.0.1:{DRILL_PROXY_PORT}"
).rstrip("/")

# The API for programs: requests a second of one token in each web process (bursts of ten seconds' worth), and how many
# requests may wait for news at once in each; every other thread goes on answering.
API_REQUESTS_PER_S = env.integer("ONCE_API_REQUESTS_PER_S", 50, least=1)
API_WAITERS = env.integer("ONCE_API_WAITERS", 2, least=0)

# Who may read /metrics from elsewhere: a bearer token. Without one only this machine may.
METRICS_TOKEN = env.secret("ONCE_METRICS_TOKEN", default=str)

LOGGING_CONFIG = "logging.config.dictConfig"
LOGGING = logging_settings(
    level=env.text("ONCE_LOG_LEVEL", "INFO", one_of=("DEBUG", "INFO", "WARNING", "ERROR")),
    form=env.text("ONCE_LOG_FORMAT", "json", one_of=("json", "plain")),
)
