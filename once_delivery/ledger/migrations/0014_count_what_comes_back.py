"""PostgreSQL counts what comes back; what is there already is counted once."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("ledger", "0013_counted")]

    operations = [
        migrations.RunSQL(
            sql=(SQL / "counted.sql").read_text(encoding="utf-8"),
            reverse_sql=(SQL / "counted_down.sql").read_text(encoding="utf-8"),
        )
    ]
