import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_people"),
        ("ledger", "0011_count_sizes"),
        ("review", "0005_waiting"),
    ]

    operations = [
        migrations.CreateModel(
            name="VisibleDraft",
            fields=[
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="visible_draft",
                        serialize=False,
                        to="ledger.task",
                    ),
                ),
                (
                    "action",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="ledger.action",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.project",
                    ),
                ),
                (
                    "product",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="ledger.product",
                    ),
                ),
                ("locale", models.CharField(max_length=35)),
                ("purpose", models.CharField(max_length=100)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waits", "waits for review"),
                            ("changed", "accepted, but changed since"),
                            ("changes", "changes asked for"),
                            ("rejected", "rejected"),
                            ("accepted", "accepted"),
                        ],
                        max_length=10,
                        verbose_name="state of review",
                    ),
                ),
                ("since", models.DateTimeField(verbose_name="since")),
                (
                    "latest",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="review.draft",
                    ),
                ),
                (
                    "review",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="review.review",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["waits", "changed", "changes", "rejected", "accepted"])
                        ),
                        name="visible_draft_state_is_known",
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="seen",
            name="changed",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
