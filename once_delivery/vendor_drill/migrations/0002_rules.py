"""What was agreed, seen and judged in a vendor's drill is kept: upheld by PostgreSQL."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("vendor_drill", "0001_initial"), ("ledger", "0002_rules")]

    operations = [
        migrations.RunSQL(
            sql=(SQL / "rules.sql").read_text(encoding="utf-8"),
            reverse_sql=(SQL / "rules_down.sql").read_text(encoding="utf-8"),
        )
    ]
