"""What is read of a draft is told apart from what it is for; 0013 works it out of the drafts that there are."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0010_rules_of_revocations")]

    operations = [
        migrations.AddField(
            model_name="draft",
            name="text_hash",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
    ]
