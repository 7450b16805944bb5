"""PostgreSQL counts what is asked for."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("ledger", "0010_sizes")]

    operations = [
        migrations.RunSQL(
            sql=(SQL / "sizes.sql").read_text(encoding="utf-8"),
            reverse_sql=(SQL / "sizes_down.sql").read_text(encoding="utf-8"),
        )
    ]
