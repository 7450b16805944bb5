import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('ledger', '0002_rules'),
        ('targets', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Audit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('status', models.CharField(choices=[('running', 'running'), ('complete', 'complete'), ('cut', 'cut short')], default='running', max_length=10, verbose_name='status')),
                ('code', models.CharField(blank=True, max_length=60, verbose_name='why cut short')),
                ('started_at', models.DateTimeField(verbose_name='started at')),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished at')),
                ('counts', models.JSONField(default=dict)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audits', to='accounts.project')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ledger.run')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audits', to='targets.target')),
            ],
        ),
        migrations.CreateModel(
            name='AuditedObject',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('result_id', models.CharField(max_length=300)),
                ('marker', models.CharField(max_length=300)),
                ('status', models.CharField(max_length=60)),
                ('title', models.CharField(max_length=500)),
                ('trashed', models.BooleanField()),
                ('audit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='objects_seen', to='reconciliation.audit')),
            ],
        ),
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
        ),
        migrations.CreateModel(
            name='Finding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(choices=[('duplicate', 'duplicate'), ('orphan', 'orphan'), ('missing', 'missing'), ('trashed', 'in the trash'), ('changed', 'marker changed')], max_length=10, verbose_name='kind')),
                ('marker', models.CharField(max_length=64, verbose_name='marker')),
                ('evidence', models.JSONField(default=dict)),
                ('found_at', models.DateTimeField(verbose_name='found at')),
                ('action', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='findings', to='ledger.action')),
                ('audit', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='findings', to='reconciliation.audit')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='findings', to='accounts.project')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='findings', to='targets.target')),
            ],
        ),
        migrations.AddIndex(
            model_name='audit',
            index=models.Index(fields=['target', '-started_at'], name='audit_of_target'),
        ),
        migrations.AddConstraint(
            model_name='audit',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['running', 'complete', 'cut'])), name='audit_status_is_known'),
        ),
        migrations.AddIndex(
            model_name='auditedobject',
            index=models.Index(fields=['audit', 'marker'], name='audited_object_by_marker'),
        ),
        migrations.AddConstraint(
            model_name='auditedobject',
            constraint=models.UniqueConstraint(fields=('audit', 'kind', 'result_id'), name='audited_object_once_an_audit'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(fields=['project', 'status', 'due_at'], name='case_queue'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'open')), fields=('action',), name='case_one_open_an_action'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['open', 'resolved'])), name='case_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('resolution', ''), ('resolved_at__isnull', True), ('status', 'open')), models.Q(('resolved_at__isnull', False), ('status', 'resolved'), models.Q(('resolution', ''), _negated=True)), _connector='OR'), name='case_resolved_says_how'),
        ),
        migrations.AddConstraint(
            model_name='finding',
            constraint=models.UniqueConstraint(fields=('target', 'marker', 'kind'), name='finding_once_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='finding',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['duplicate', 'orphan', 'missing', 'trashed', 'changed'])), name='finding_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='finding',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'orphan'), ('action__isnull', False), _connector='OR'), name='finding_names_its_action'),
        ),
    ]
