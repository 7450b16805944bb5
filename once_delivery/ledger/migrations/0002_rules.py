"""The rules that PostgreSQL upholds: arrows, append-only evidence, an event for every change."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial"), ("targets", "0001_initial")]

    operations = [
        migrations.RunSQL(
            sql=(SQL / "rules.sql").read_text(encoding="utf-8"),
            reverse_sql=(SQL / "rules_down.sql").read_text(encoding="utf-8"),
        )
    ]
