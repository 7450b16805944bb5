"""Tasks whose content was forgotten, and what retention may do to evidence."""

from __future__ import annotations

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models


SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_what_needs_the_client'),
        ('ledger', '0016_from_task_to_batches'),
    ]

    operations = [
        migrations.CreateModel(
            name='Forgotten',
            fields=[
                ('task', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='forgotten', serialize=False, to='ledger.task')),
                ('after_days', models.PositiveIntegerField(verbose_name='after days')),
                ('at', models.DateTimeField(verbose_name='forgotten at')),
                ('project', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.project')),
            ],
        ),
        migrations.RunSQL(
            sql=(SQL / "forgetting.sql").read_text(encoding="utf-8"),
            reverse_sql=(SQL / "forgetting_down.sql").read_text(encoding="utf-8"),
        ),
    ]
