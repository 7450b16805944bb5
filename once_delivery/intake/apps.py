from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IntakeConfig(AppConfig):
    name = "once_delivery.intake"
    label = "intake"
    verbose_name = _("batch files")
    default_auto_field = "django.db.models.BigAutoField"
