import django.db.models.deletion
import once_delivery.targets.base
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('targets', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Action',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(choices=[('create_draft', 'create_draft'), ('update_draft', 'update_draft'), ('upload_file', 'upload_file'), ('start_job', 'start_job')], max_length=20, verbose_name='kind')),
                ('slot', models.CharField(max_length=100, verbose_name='slot')),
                ('marker', models.CharField(max_length=64, verbose_name='marker')),
                ('client_id', models.UUIDField(verbose_name='client-chosen ID')),
                ('payload', models.JSONField(verbose_name='payload')),
                ('fingerprint', models.CharField(max_length=64, verbose_name='fingerprint')),
                ('state', models.CharField(choices=[('planned', 'not executed'), ('sending', 'sending'), ('accepted', 'accepted'), ('confirmed', 'confirmed'), ('uncertain', 'uncertain'), ('reconcile', 'to be reconciled'), ('refused', 'refused by the target'), ('superseded', 'superseded by a newer version'), ('cancelled', 'cancelled')], default='planned', max_length=12, verbose_name='state')),
                ('revision', models.PositiveIntegerField(default=0)),
                ('reason', models.CharField(default='requested', max_length=60, verbose_name='reason')),
                ('next_step', models.CharField(choices=[('perform', 'perform'), ('replay', "send again under the target's protection"), ('look_up', 'look up'), ('wait', 'wait for the sender'), ('person', 'a person decides'), ('none', 'nothing')], default='perform', max_length=10, verbose_name='next step')),
                ('next_step_at', models.DateTimeField(null=True, verbose_name='next step at')),
                ('lease_token', models.UUIDField(editable=False, null=True)),
                ('lease_until', models.DateTimeField(null=True)),
                ('key_generation', models.PositiveIntegerField(default=1)),
                ('sends', models.PositiveIntegerField(default=0, verbose_name='sends')),
                ('releases', models.PositiveIntegerField(default=0, verbose_name='sends that never left')),
                ('look_ups', models.PositiveIntegerField(default=0, verbose_name='look-ups')),
                ('result_id', models.CharField(blank=True, default='', max_length=300, verbose_name='result ID')),
                ('result_url', models.CharField(blank=True, default='', max_length=1000, verbose_name='result address')),
                ('confirmed_at', models.DateTimeField(null=True, verbose_name='confirmed at')),
                ('presence', models.CharField(choices=[('unchecked', 'unchecked'), ('present', 'present'), ('duplicate', 'duplicate'), ('trashed', 'trashed'), ('missing', 'missing'), ('changed', 'changed')], default=once_delivery.targets.base.Presence['UNCHECKED'], max_length=10, verbose_name='presence')),
                ('checked_at', models.DateTimeField(null=True, verbose_name='last checked at')),
                ('check_due_at', models.DateTimeField(null=True)),
                ('state_since', models.DateTimeField(verbose_name='in this state since')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='actions', to='accounts.project')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='actions', to='targets.target')),
            ],
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('replay', models.BooleanField(verbose_name="under the target's protection")),
                ('key_generation', models.PositiveIntegerField()),
                ('sender', models.CharField(max_length=100, verbose_name='sender')),
                ('intended_at', models.DateTimeField(verbose_name='intended at')),
                ('lease_until', models.DateTimeField(verbose_name='lease until')),
                ('action', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='ledger.action')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.project')),
            ],
        ),
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('source_name', models.CharField(blank=True, max_length=255, verbose_name='file')),
                ('source_sha256', models.CharField(blank=True, max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='batches', to='accounts.project')),
                ('requested_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Gate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('not_before', models.DateTimeField(null=True)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('open_until', models.DateTimeField(null=True)),
                ('opened', models.PositiveIntegerField(default=0)),
                ('tokens', models.FloatField(default=0.0)),
                ('tokens_at', models.DateTimeField(null=True)),
                ('target', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='gate', to='targets.target')),
            ],
        ),
        migrations.CreateModel(
            name='Product',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=100, verbose_name='code')),
                ('name', models.CharField(max_length=300, verbose_name='name')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='products', to='accounts.project')),
            ],
        ),
        migrations.CreateModel(
            name='InputVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('content', models.JSONField(verbose_name='content')),
                ('fingerprint', models.CharField(max_length=64, verbose_name='fingerprint')),
                ('approved_by', models.CharField(max_length=200, verbose_name='approved by')),
                ('approved_at', models.DateTimeField(verbose_name='approved at')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.project')),
                ('supersedes', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='superseded_by', to='ledger.inputversion')),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='input_versions', to='ledger.product')),
            ],
        ),
        migrations.CreateModel(
            name='Receipt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('outcome', models.CharField(choices=[('done', 'done'), ('accepted', 'accepted'), ('exists', 'exists'), ('refused', 'refused'), ('not_sent', 'not_sent'), ('not_done', 'not_done'), ('unknown', 'unknown')], max_length=10, verbose_name='outcome')),
                ('code', models.CharField(max_length=60, verbose_name='code')),
                ('result_id', models.CharField(blank=True, max_length=300, verbose_name='result ID')),
                ('result_url', models.CharField(blank=True, max_length=1000)),
                ('marker', models.CharField(max_length=300, null=True, verbose_name='marker')),
                ('http_status', models.PositiveSmallIntegerField(null=True)),
                ('detail', models.CharField(blank=True, max_length=500)),
                ('excerpt', models.TextField(blank=True)),
                ('usage', models.JSONField(default=dict)),
                ('late', models.BooleanField(default=False, verbose_name='late')),
                ('received_at', models.DateTimeField(verbose_name='received at')),
                ('action', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='receipts', to='ledger.action')),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='receipts', to='ledger.attempt')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.project')),
            ],
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('kind', models.CharField(choices=[('first', 'first try'), ('resume', 'resume'), ('worker', 'worker'), ('look_up', 'look-up'), ('audit', 'audit')], max_length=10, verbose_name='kind')),
                ('external_id', models.CharField(blank=True, max_length=200, verbose_name='outside execution ID')),
                ('status', models.CharField(choices=[('running', 'running'), ('finished', 'finished'), ('failed', 'failed')], default='running', max_length=10, verbose_name='status')),
                ('process', models.CharField(max_length=100, verbose_name='process')),
                ('started_at', models.DateTimeField(auto_now_add=True, verbose_name='started at')),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished at')),
                ('summary', models.JSONField(default=dict)),
                ('batch', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='ledger.batch')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='accounts.project')),
                ('requested_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Observation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verdict', models.CharField(choices=[('found', 'found'), ('found_many', 'found_many'), ('absent', 'absent'), ('cannot_tell', 'cannot_tell')], max_length=12, verbose_name='verdict')),
                ('method', models.CharField(max_length=100, verbose_name='method')),
                ('complete', models.BooleanField(verbose_name='complete')),
                ('proves_absence', models.BooleanField(default=False, verbose_name='proves absence')),
                ('code', models.CharField(blank=True, max_length=60, verbose_name='code')),
                ('http_status', models.PositiveSmallIntegerField(null=True)),
                ('objects_seen', models.JSONField(default=list, verbose_name='ours')),
                ('candidates', models.JSONField(default=list, verbose_name='candidates')),
                ('detail', models.CharField(blank=True, max_length=500)),
                ('looked_at', models.DateTimeField(verbose_name='looked at')),
                ('recorded_at', models.DateTimeField()),
                ('action', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='observations', to='ledger.action')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.project')),
                ('run', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='observations', to='ledger.run')),
            ],
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40, verbose_name='kind')),
                ('revision', models.PositiveIntegerField(null=True)),
                ('from_state', models.CharField(blank=True, max_length=12)),
                ('to_state', models.CharField(blank=True, max_length=12)),
                ('reason', models.CharField(max_length=60, verbose_name='reason')),
                ('actor', models.CharField(max_length=150, verbose_name='by')),
                ('data', models.JSONField(default=dict)),
                ('at', models.DateTimeField(verbose_name='at')),
                ('action', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='ledger.action')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.project')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('run', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ledger.run')),
            ],
        ),
        migrations.AddField(
            model_name='attempt',
            name='run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='ledger.run'),
        ),
        migrations.CreateModel(
            name='StoredFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64)),
                ('name', models.CharField(max_length=255)),
                ('media_type', models.CharField(max_length=100)),
                ('data', models.BinaryField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.project')),
            ],
        ),
        migrations.CreateModel(
            name='Task',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('locale', models.CharField(max_length=35, verbose_name='locale')),
                ('purpose', models.CharField(max_length=100, verbose_name='purpose')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('input_version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='ledger.inputversion')),
                ('product', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='ledger.product')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='accounts.project')),
            ],
        ),
        migrations.CreateModel(
            name='BatchTask',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('existed', models.BooleanField(verbose_name='task existed already')),
                ('repeats', models.PositiveIntegerField(default=0, verbose_name='suppressed repeats')),
                ('position', models.PositiveIntegerField()),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='references', to='ledger.batch')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='references', to='ledger.task')),
            ],
        ),
        migrations.AddField(
            model_name='batch',
            name='tasks',
            field=models.ManyToManyField(related_name='batches', through='ledger.BatchTask', to='ledger.task'),
        ),
        migrations.AddField(
            model_name='action',
            name='task',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='actions', to='ledger.task'),
        ),
        migrations.CreateModel(
            name='ActionNeed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('condition', models.CharField(choices=[('result', 'its result is needed'), ('settled', 'it must be resolved first')], default='result', max_length=10)),
                ('action', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='needs', to='ledger.action')),
                ('needs', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='needed_by', to='ledger.action')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('action', 'needs'), name='action_need_once_a_pair'), models.CheckConstraint(condition=models.Q(('action', models.F('needs')), _negated=True), name='action_need_is_another')],
            },
        ),
        migrations.CreateModel(
            name='Lane',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveSmallIntegerField()),
                ('holder', models.UUIDField(null=True)),
                ('held_until', models.DateTimeField(null=True)),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lanes', to='targets.target')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('target', 'index'), name='lane_once_a_target')],
            },
        ),
        migrations.AddConstraint(
            model_name='product',
            constraint=models.UniqueConstraint(fields=('project', 'code'), name='product_code_once_a_project'),
        ),
        migrations.AddConstraint(
            model_name='inputversion',
            constraint=models.UniqueConstraint(fields=('product', 'number'), name='input_version_number_once_a_product'),
        ),
        migrations.AddConstraint(
            model_name='inputversion',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='input_version_number_from_one'),
        ),
        migrations.AddConstraint(
            model_name='receipt',
            constraint=models.UniqueConstraint(condition=models.Q(('late', False)), fields=('attempt',), name='receipt_one_in_time_an_attempt'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['batch', '-started_at'], name='run_of_batch'),
        ),
        migrations.AddIndex(
            model_name='observation',
            index=models.Index(fields=['action', '-looked_at'], name='observation_latest'),
        ),
        migrations.AddConstraint(
            model_name='observation',
            constraint=models.CheckConstraint(condition=models.Q(('proves_absence', False), models.Q(('complete', True), ('verdict', 'absent')), _connector='OR'), name='observation_absence_needs_complete_look'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(fields=('action', 'revision'), name='event_one_a_change_of_state'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(fields=('action', 'number'), name='attempt_number_once_an_action'),
        ),
        migrations.AddConstraint(
            model_name='storedfile',
            constraint=models.UniqueConstraint(fields=('project', 'sha256'), name='stored_file_once_a_project'),
        ),
        migrations.AddConstraint(
            model_name='task',
            constraint=models.UniqueConstraint(fields=('product', 'locale', 'purpose', 'input_version'), name='task_once_an_identity'),
        ),
        migrations.AddConstraint(
            model_name='batchtask',
            constraint=models.UniqueConstraint(fields=('batch', 'task'), name='batch_refers_once_to_a_task'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.UniqueConstraint(fields=('project', 'name'), name='batch_name_once_a_project'),
        ),
        migrations.AddIndex(
            model_name='action',
            index=models.Index(models.F('target'), models.F('next_step_at'), models.F('id'), condition=models.Q(('next_step__in', ['perform', 'replay'])), name='action_due_to_send'),
        ),
        migrations.AddIndex(
            model_name='action',
            index=models.Index(models.F('target'), models.F('next_step_at'), models.F('id'), condition=models.Q(('next_step', 'look_up')), name='action_due_to_look_up'),
        ),
        migrations.AddIndex(
            model_name='action',
            index=models.Index(models.F('lease_until'), condition=models.Q(('state', 'sending')), name='action_leased'),
        ),
        migrations.AddIndex(
            model_name='action',
            index=models.Index(models.F('target'), models.F('check_due_at'), condition=models.Q(('check_due_at__isnull', False)), name='action_due_to_check'),
        ),
        migrations.AddIndex(
            model_name='action',
            index=models.Index(models.F('project'), models.F('state'), models.F('next_step_at'), condition=models.Q(('next_step', 'person')), name='action_waits_for_person'),
        ),
        migrations.AddConstraint(
            model_name='action',
            constraint=models.UniqueConstraint(fields=('task', 'target', 'kind', 'slot'), name='action_once_an_identity'),
        ),
        migrations.AddConstraint(
            model_name='action',
            constraint=models.UniqueConstraint(fields=('target', 'marker'), name='action_marker_once_a_target'),
        ),
        migrations.AddConstraint(
            model_name='action',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['planned', 'sending', 'accepted', 'confirmed', 'uncertain', 'reconcile', 'refused', 'superseded', 'cancelled'])), name='action_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='action',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', [once_delivery.targets.base.Kind['CREATE_DRAFT'], once_delivery.targets.base.Kind['UPDATE_DRAFT'], once_delivery.targets.base.Kind['UPLOAD_FILE'], once_delivery.targets.base.Kind['START_JOB']])), name='action_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='action',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['confirmed', 'accepted']), _negated=True), models.Q(('result_id', ''), _negated=True), _connector='OR'), name='action_confirmed_has_result_id'),
        ),
        migrations.AddConstraint(
            model_name='action',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_token__isnull', False), ('lease_until__isnull', False), ('state', 'sending')), models.Q(models.Q(('state', 'sending'), _negated=True), ('lease_token__isnull', True), ('lease_until__isnull', True)), _connector='OR'), name='action_lease_while_sending_only'),
        ),
        migrations.AddConstraint(
            model_name='action',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('next_step', 'none'), ('next_step_at__isnull', True), ('state__in', ['cancelled', 'confirmed', 'superseded'])), models.Q(models.Q(('state__in', ['cancelled', 'confirmed', 'superseded']), _negated=True), models.Q(('next_step', 'none'), _negated=True), ('next_step_at__isnull', False)), _connector='OR'), name='action_open_has_next_step_and_time'),
        ),
        migrations.AddConstraint(
            model_name='action',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['uncertain', 'reconcile', 'accepted']), _negated=True), models.Q(('next_step', 'perform'), _negated=True), _connector='OR'), name='action_uncertain_never_performs'),
        ),
    ]
