from django.db import migrations, models


class Migration(migrations.Migration):
    """Indexes come after the rows: that is quicker."""

    dependencies = [("review", "0007_rules_of_visible_drafts")]

    operations = [
        migrations.DeleteModel(name="ToReview"),
        migrations.AddIndex(
            model_name="visibledraft",
            index=models.Index(fields=["project", "state", "product", "task"], name="visible_draft_by_state"),
        ),
        migrations.AddIndex(
            model_name="visibledraft",
            index=models.Index(
                fields=["project", "locale", "state", "product", "task"], name="visible_draft_by_locale"
            ),
        ),
        migrations.AddIndex(
            model_name="visibledraft",
            index=models.Index(
                fields=["project", "purpose", "state", "product", "task"], name="visible_draft_by_purpose"
            ),
        ),
        migrations.AddIndex(
            model_name="visibledraft",
            index=models.Index(
                condition=models.Q(("state__in", ["waits", "changed"])),
                fields=["project", "since"],
                name="visible_draft_to_do",
            ),
        ),
        migrations.AddIndex(
            model_name="seen",
            index=models.Index(
                condition=models.Q(("changed", True)), fields=["user"], name="seen_and_changed"
            ),
        ),
    ]
