"""PostgreSQL counts an acceptance first and once, and drops what was proposed about a pair that has changed."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("billing", "0014_duplicates_that_follow")]

    operations = [
        migrations.RunSQL(
            sql=(SQL / "units.sql").read_text(encoding="utf-8"),
            reverse_sql=(SQL / "units_down.sql").read_text(encoding="utf-8"),
        )
    ]
