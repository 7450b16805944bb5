"""What a drill makes at a target of its own is not content for review."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


def _read(name: str) -> str:
    return (SQL / name).read_text(encoding="utf-8")


class Migration(migrations.Migration):
    dependencies = [("review", "0011_draft_texts"), ("targets", "0006_of_drill")]

    operations = [
        migrations.RunSQL(
            sql=_read("visible_of_drills.sql"), reverse_sql=_read("visible_of_drills_down.sql")
        ),
    ]
