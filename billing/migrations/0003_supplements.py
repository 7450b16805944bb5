"""A document that is sent again with more lines, spans that a line sums up, tax of a line, and usage told better."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.db import migrations, models

SQL = Path(__file__).parents[1] / "sql" / "usage.sql"


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_people'),
        ('billing', '0002_rules'),
        ('ledger', '0012_permits'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='supplierdocument',
            name='supplier_document_once_a_number',
        ),
        migrations.AddField(
            model_name='linematch',
            name='note',
            field=models.CharField(blank=True, max_length=500, verbose_name='note'),
        ),
        migrations.AddField(
            model_name='supplierdocument',
            name='shape',
            field=models.CharField(blank=True, max_length=30, verbose_name='shape'),
        ),
        migrations.AddField(
            model_name='supplierdocument',
            name='supplement',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='supplement'),
        ),
        migrations.AddField(
            model_name='supplierline',
            name='tax_amount',
            field=models.DecimalField(decimal_places=12, default=0, max_digits=30, verbose_name='tax'),
        ),
        migrations.AddField(
            model_name='supplierline',
            name='tax_functional',
            field=models.DecimalField(decimal_places=6, default=0, max_digits=18),
        ),
        migrations.AddField(
            model_name='supplierline',
            name='used_until',
            field=models.DateTimeField(null=True, verbose_name='until'),
        ),
        migrations.AddField(
            model_name='usage',
            name='job_id',
            field=models.CharField(blank=True, max_length=300, verbose_name='job ID'),
        ),
        migrations.AddField(
            model_name='usage',
            name='replaced',
            field=models.BooleanField(default=False, verbose_name='told better since'),
        ),
        migrations.AddIndex(
            model_name='usage',
            index=models.Index(condition=models.Q(('job_id', ''), _negated=True), fields=['project', 'job_id'], name='usage_by_job'),
        ),
        migrations.AddConstraint(
            model_name='supplierdocument',
            constraint=models.UniqueConstraint(fields=('supplier', 'kind', 'number', 'supplement'), name='supplier_document_once_a_number'),
        ),
        # the older function is text of rules.sql; nothing needs it back
        migrations.RunSQL(sql=SQL.read_text(encoding="utf-8"), reverse_sql=migrations.RunSQL.noop),
    ]
