from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class UiConfig(AppConfig):
    name = "once_delivery.ui"
    label = "ui"
    verbose_name = _("page parts")
    default_auto_field = "django.db.models.BigAutoField"
