from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RetentionConfig(AppConfig):
    name = "once_delivery.retention"
    label = "retention"
    verbose_name = _("keeping and forgetting")
    default_auto_field = "django.db.models.BigAutoField"
