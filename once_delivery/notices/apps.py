from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NoticesConfig(AppConfig):
    name = "once_delivery.notices"
    label = "notices"
    verbose_name = _("notices")
    default_auto_field = "django.db.models.BigAutoField"
