"""No input version is approved at a moment that no page could show. What is kept already stays as it is (NOT VALID)."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0018_restorations"),
    ]

    operations = [
        AddConstraintNotValid(
            model_name="inputversion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("approved_at__gte", datetime(1970, 1, 1, tzinfo=UTC)),
                    ("approved_at__lt", datetime(2200, 1, 1, tzinfo=UTC)),
                ),
                name="input_version_approved_in_our_times",
            ),
        ),
    ]
