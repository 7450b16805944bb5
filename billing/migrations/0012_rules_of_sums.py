"""PostgreSQL keeps what the entries of both ledgers come to; what is there already is added up."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("billing", "0011_sums")]

    operations = [
        migrations.RunSQL(
            sql=(SQL / "sums.sql").read_text(encoding="utf-8"),
            reverse_sql=(SQL / "sums_down.sql").read_text(encoding="utf-8"),
        )
    ]
