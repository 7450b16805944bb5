"""A Wagtail site for tests and the demo. Everything comes from the environment; see README.md."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

BASE_DIR = Path(__file__).resolve().parents[1]
DATA_DIR = Path(os.environ["CMS_DATA"])
DATA_DIR.mkdir(parents=True, exist_ok=True)


def _kept_secret() -> str:
    file = DATA_DIR / "secret-key"
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(48), encoding="utf-8")
    return file.read_text(encoding="utf-8")


def _database() -> dict[str, Any]:
    if "CMS_DATABASE_NAME" not in os.environ:
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA_DIR / "db.sqlite3"}
    parts = ("NAME", "HOST", "PORT", "USER", "PASSWORD")
    found = {part: os.environ.get(f"CMS_DATABASE_{part}", "") for part in parts}
    return {"ENGINE": "django.db.backends.postgresql", **found}


SECRET_KEY = _kept_secret()
DEBUG = False
ALLOWED_HOSTS = os.environ.get("CMS_HOSTS", "127.0.0.1,localhost").split(",")
ROOT_URLCONF = "shop.urls"
WSGI_APPLICATION = "shop.wsgi.application"
INSTALLED_APPS = [
    "catalog",
    "wagtail.api.v3",
    "wagtail.embeds",
    "wagtail.sites",
    "wagtail.users",
    "wagtail.snippets",
    "wagtail.images",
    "wagtail.documents",
    "wagtail.search",
    "wagtail.admin",
    "wagtail",
    "modelcluster",
    "taggit",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
DATABASES = {"default": _database()}
# a cookie is for a host, not for a port: another program on this machine has its own names
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "cms_session", "cms_csrf"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
LANGUAGE_CODE = "en"
STATIC_URL = "/static/"
MEDIA_URL = "/media/"
MEDIA_ROOT = DATA_DIR / "media"
WAGTAIL_SITE_NAME = "Overseas content"
WAGTAILADMIN_BASE_URL = os.environ.get("CMS_URL", "http://127.0.0.1")
WAGTAILIMAGES_IMAGE_MODEL = "catalog.CatalogImage"
WAGTAILAPI_LIMIT_MAX = 100
