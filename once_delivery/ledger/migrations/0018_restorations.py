"""Restores of the database from a backup: what may have been sent since then is asked for before anything is sent."""

from __future__ import annotations

from pathlib import Path

from django.db import migrations, models


SQL = Path(__file__).parents[1] / "sql"


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0017_forgotten'),
    ]

    operations = [
        migrations.CreateModel(
            name='Restoration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(unique=True, verbose_name='time of the backup')),
                ('opened_at', models.DateTimeField(verbose_name='opened at')),
                ('opened_by', models.CharField(max_length=150, verbose_name='opened by')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='ended at')),
                ('ended_by', models.CharField(blank=True, default='', max_length=150, verbose_name='ended by')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('since__lte', models.F('opened_at'))), name='restoration_of_an_earlier_backup'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('ended_by', '')), models.Q(('ended_at__gte', models.F('opened_at')), models.Q(('ended_by', ''), _negated=True)), _connector='OR'), name='restoration_ends_by_somebody')],
            },
        ),
        migrations.RunSQL(
            sql=(SQL / "restorations.sql").read_text(encoding="utf-8"),
            reverse_sql=(SQL / "restorations_down.sql").read_text(encoding="utf-8"),
        ),
    ]
