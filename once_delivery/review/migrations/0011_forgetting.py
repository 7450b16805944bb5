"""Retention may empty the words of an answer to the client's question."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):
    dependencies = [("review", "0010_rules_of_revocations")]

    operations = [
        migrations.RunSQL(
            sql=(SQL / "words.sql").read_text(encoding="utf-8"),
            reverse_sql=(SQL / "words_down.sql").read_text(encoding="utf-8"),
        )
    ]
