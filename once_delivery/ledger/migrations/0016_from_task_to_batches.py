import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0015_open_questions"),
    ]

    operations = [
        migrations.AlterField(
            model_name="batchtask",
            name="task",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="references",
                to="ledger.task",
            ),
        ),
        migrations.AddIndex(
            model_name="batchtask",
            index=models.Index(fields=["task", "batch"], name="batchtask_of_task"),
        ),
    ]
