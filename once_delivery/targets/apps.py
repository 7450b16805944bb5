from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TargetsConfig(AppConfig):
    name = "once_delivery.targets"
    label = "targets"
    verbose_name = _("targets")
    default_auto_field = "django.db.models.BigAutoField"
