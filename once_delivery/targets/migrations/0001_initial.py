import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Target',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uuid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.SlugField(verbose_name='name')),
                ('kind', models.CharField(max_length=30, verbose_name='kind')),
                ('base_url', models.CharField(blank=True, max_length=500, verbose_name='address')),
                ('declaration', models.JSONField(blank=True, default=dict, verbose_name='declaration')),
                ('profile_data', models.JSONField(default=dict, verbose_name='capability profile')),
                ('credentials_sealed', models.BinaryField(default=b'', verbose_name='credentials')),
                ('allow_inside', models.BooleanField(default=False, verbose_name='inside addresses allowed')),
                ('is_test', models.BooleanField(default=False, verbose_name='test target')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='targets', to='accounts.project')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='target_name_once_a_project')],
            },
        ),
    ]
