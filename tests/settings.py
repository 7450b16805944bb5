"""The house's settings for tests: on a PostgreSQL of their own, whatever the shell has set.

Processes that tests start inherit this environment, so that they too never touch the real data.
"""

from __future__ import annotations

import os
from pathlib import Path

PREFIXES = ("ONCE_", "DATABASE_URL", "CELERY_", "SECRET_KEY", "PG")
# what the tests themselves hand down to their workers and children
HANDED_DOWN = ("ONCE_TEST_",)

for _name in list(os.environ):
    if _name.startswith(PREFIXES) and not _name.startswith(HANDED_DOWN):
        del os.environ[_name]

os.environ |= {
    "ONCE_STATE_DIR": str(Path(__file__).resolve().parents[1] / ".once" / "tests"),
    "ONCE_POSTGRES_DURABLE": "0",
    "ONCE_LANGUAGE": "en",
    "ONCE_TARGETS_INSIDE": "1",  # sandboxes and stand-ins are on this machine
    "ONCE_LOG_FORMAT": "plain",
    "ONCE_LOG_LEVEL": "WARNING",
    "CELERY_BROKER_URL": "memory://",  # a message only wakes (R12); tests that want a worker start one
    "SECRET_KEY": "tests",
}

from once_delivery.config.settings import *  # noqa: E402
from once_delivery.config.settings import DATABASES, STATIC_ROOT, STORAGES  # noqa: E402

# Sessions at once in one checkout must not take one another's database; xdist adds _gw0, _gw1 to it.
os.environ.setdefault("ONCE_TEST_SESSION", str(os.getpid()))
DATABASES["default"]["TEST"] = {"NAME": f"test_once_{os.environ['ONCE_TEST_SESSION']}"}
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["*"]
# the ledger's tables refuse TRUNCATE; only a test database may empty them
DATABASES["default"]["OPTIONS"]["options"] = "-c once.may_truncate=on"
# nothing is collected for tests, and whitenoise warns of a folder that is not there
Path(STATIC_ROOT).mkdir(parents=True, exist_ok=True)
