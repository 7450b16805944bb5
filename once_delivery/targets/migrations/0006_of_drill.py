"""Targets that drills have made for themselves say so; those of before are known by the names that drills give."""

from __future__ import annotations

from django.db import migrations, models

MARK = r"""
UPDATE targets_target SET of_drill = true WHERE is_test
    AND name ~ '^(drill-[0-9a-f]{6}-(key|id|look|none)|drill-[0-9a-f]{8}|vendor-drill-[0-9a-f]{8})$'
"""


class Migration(migrations.Migration):
    dependencies = [("targets", "0005_by_hand")]

    operations = [
        migrations.AddField(
            model_name="target",
            name="of_drill",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.RunSQL(sql=MARK, reverse_sql=migrations.RunSQL.noop),
    ]
