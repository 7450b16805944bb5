from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BillingConfig(AppConfig):
    name = "billing"
    label = "billing"
    verbose_name = _("costs")
    default_auto_field = "django.db.models.BigAutoField"
