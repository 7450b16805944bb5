"""For how long a project keeps content."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0003_what_needs_the_client'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ForgettingRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('after_days', models.PositiveIntegerField(null=True, verbose_name='after days')),
                ('set_at', models.DateTimeField(verbose_name='set at')),
                ('ran_at', models.DateTimeField(null=True, verbose_name='last done at')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='forgetting_rules', to='accounts.project')),
                ('set_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-id'], name='forgetting_rule_latest')],
                'constraints': [models.CheckConstraint(condition=models.Q(('after_days__isnull', True), ('after_days__gte', 30), _connector='OR'), name='forgetting_rule_leaves_time')],
            },
        ),
    ]
