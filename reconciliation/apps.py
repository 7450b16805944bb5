from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReconciliationConfig(AppConfig):
    name = "reconciliation"
    label = "reconciliation"
    verbose_name = _("reconciliation")
    default_auto_field = "django.db.models.BigAutoField"
