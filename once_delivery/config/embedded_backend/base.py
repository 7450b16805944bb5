"""Django's PostgreSQL backend that starts the embedded server when nobody answers.

Here, and not in ``manage.py``, so that web, worker, tests, scripts and a shell all find it running, and
only those that really use the database start it.
"""

from __future__ import annotations

from typing import Any

import psycopg
from django.db.backends.postgresql import base

from once_delivery.common.embedded_postgres import EmbeddedPostgres


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        try:
            return super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            server: EmbeddedPostgres = self.settings_dict["EMBEDDED"]
            if server.answers():
                raise  # it runs, so the reason is another: no such database, too many connections
            server.ensure_running()
            return super().get_new_connection(conn_params)
