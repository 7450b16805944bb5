"""What is read of a draft is told apart from what it is for; of drafts that are kept whole it is worked out."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

from once_delivery.review.text import hash_of, text_hash_of

CHUNK = 1000


def work_out(apps: Any, schema_editor: Any) -> None:
    """One that was cut, or emptied since, is left as it is: its whole content stands for its text."""
    drafts = apps.get_model("review", "Draft").objects
    last = 0
    while rows := list(drafts.filter(pk__gt=last).order_by("pk").only("content", "content_hash")[:CHUNK]):
        last = rows[-1].pk
        whole = [row for row in rows if row.content and hash_of(row.content) == row.content_hash]
        for row in whole:
            row.text_hash = text_hash_of(row.content)
        drafts.bulk_update(whole, ["text_hash"])


class Migration(migrations.Migration):
    dependencies = [("review", "0010_rules_of_revocations")]

    operations = [
        migrations.AddField(
            model_name="draft",
            name="text_hash",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.RunPython(work_out, migrations.RunPython.noop),
    ]
