import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Drill',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('status', models.CharField(choices=[('running', 'running'), ('passed', 'passed'), ('failed', 'failed'), ('broken', 'could not be run')], default='running', max_length=10, verbose_name='verdict')),
                ('started_at', models.DateTimeField(auto_now_add=True, verbose_name='started at')),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished at')),
                ('report', models.JSONField(default=dict, verbose_name='report')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='drills', to='accounts.project')),
                ('started_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['project', '-started_at'], name='drill_of_project')],
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['running', 'passed', 'failed', 'broken'])), name='drill_status_is_known')],
            },
        ),
    ]
