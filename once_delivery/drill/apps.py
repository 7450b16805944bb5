from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DrillConfig(AppConfig):
    name = "once_delivery.drill"
    label = "drill"
    verbose_name = _("acceptance drill")
    default_auto_field = "django.db.models.BigAutoField"
