from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    name = "once_delivery.api"
    label = "api"
    verbose_name = _("interface for programs")
    default_auto_field = "django.db.models.BigAutoField"
