import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('ledger', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Case',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(choices=[('uncertain', 'result uncertain'), ('refused', 'refused by the target'), ('stuck', 'cannot go on'), ('duplicate', 'more than one at the target')], max_length=10, verbose_name='kind')),
                ('reason', models.CharField(max_length=60, verbose_name='reason')),
                ('status', models.CharField(choices=[('open', 'open'), ('resolved', 'resolved')], default='open', max_length=10, verbose_name='status')),
                ('opened_at', models.DateTimeField(verbose_name='opened at')),
                ('due_at', models.DateTimeField(verbose_name='due at')),
                ('resolved_at', models.DateTimeField(null=True, verbose_name='resolved at')),
                ('resolution', models.CharField(blank=True, max_length=60, verbose_name='decision')),
                ('action', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='ledger.action')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cases', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='accounts.project')),
                ('resolved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['project', 'status', 'due_at'], name='case_queue')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status', 'open')), fields=('action',), name='case_one_open_an_action'), models.CheckConstraint(condition=models.Q(('status__in', ['open', 'resolved'])), name='case_status_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('resolution', ''), ('resolved_at__isnull', True), ('status', 'open')), models.Q(('resolved_at__isnull', False), ('status', 'resolved'), models.Q(('resolution', ''), _negated=True)), _connector='OR'), name='case_resolved_says_how')],
            },
        ),
        migrations.CreateModel(
            name='Finding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(max_length=10, verbose_name='kind')),
                ('evidence', models.JSONField(default=dict)),
                ('found_at', models.DateTimeField(verbose_name='found at')),
                ('action', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='findings', to='ledger.action')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='findings', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('action', 'kind'), name='finding_once_a_kind')],
            },
        ),
    ]
