"""What waits for review is written down by PostgreSQL when a draft is confirmed."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("review", "0004_toreview"), ("ledger", "0005_updates_in_place")]

    operations = [
        migrations.RunSQL(
            sql=(SQL / "waiting.sql").read_text(encoding="utf-8"),
            reverse_sql=(SQL / "waiting_down.sql").read_text(encoding="utf-8"),
        )
    ]
