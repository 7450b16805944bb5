"""Rows of assets become rows of pairs, and PostgreSQL keeps every decision about a pair."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("billing", "0018_pairs_of_assets")]

    operations = [
        migrations.RunSQL(
            sql=(SQL / "pairs.sql").read_text(encoding="utf-8"),
            reverse_sql=(SQL / "pairs_down.sql").read_text(encoding="utf-8"),
        )
    ]
