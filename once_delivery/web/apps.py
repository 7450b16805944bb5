from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WebConfig(AppConfig):
    name = "once_delivery.web"
    label = "web"
    verbose_name = _("pages")
    default_auto_field = "django.db.models.BigAutoField"
