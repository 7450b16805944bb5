"""The database's clock is the only clock that decides anything (R2)."""

from __future__ import annotations

import os
import socket
from datetime import datetime

from django.db import connection


def database_now() -> datetime:
    """This moment by the database's clock (not the start of the transaction)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        row = cursor.fetchone()
    moment: datetime = row[0]
    return moment


def process_name() -> str:
    """Host and process ID, for people who look for who sent something."""
    return f"{socket.gethostname()}:{os.getpid()}"[:100]
