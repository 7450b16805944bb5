"""PostgreSQL keeps the draft that people see of each task, with its state of review; what is there already is filled in."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


def _read(name: str) -> str:
    return (SQL / name).read_text(encoding="utf-8")


class Migration(migrations.Migration):
    dependencies = [("review", "0006_visible_drafts"), ("ledger", "0011_count_sizes")]

    operations = [
        migrations.RunSQL(sql=_read("waiting_down.sql"), reverse_sql=_read("waiting.sql")),
        migrations.RunSQL(sql=_read("visible.sql"), reverse_sql=_read("visible_down.sql")),
    ]
