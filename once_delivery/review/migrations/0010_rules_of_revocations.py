"""An answer about an acceptance that was taken back stays as it was given."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations

RULES = (Path(__file__).parents[1] / "sql" / "revocations.sql").read_text(encoding="utf-8")
DOWN = """
DROP TRIGGER once_revocation_changes ON review_revocation;
DROP FUNCTION once_revocation_changes();
"""


class Migration(migrations.Migration):
    dependencies = [("review", "0009_revocations")]

    operations = [migrations.RunSQL(sql=RULES, reverse_sql=DOWN)]
