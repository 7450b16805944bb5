"""One row a pair of assets, whichever way round."""

from __future__ import annotations

import django.db.models.functions.comparison
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("billing", "0019_decisions_about_pairs")]

    operations = [
        migrations.AddConstraint(
            model_name='duplicate',
            constraint=models.UniqueConstraint(django.db.models.functions.comparison.Least('asset', 'survivor'), django.db.models.functions.comparison.Greatest('asset', 'survivor'), name='duplicate_once_a_pair'),
        ),
        migrations.AddConstraint(
            model_name='duplicate',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['suggested', 'decided', 'dismissed', 'wanted'])), name='duplicate_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='duplicate',
            constraint=models.CheckConstraint(condition=models.Q(('reopened__in', ['', 'text', 'person', 'others'])), name='duplicate_reopened_is_known'),
        ),
    ]
