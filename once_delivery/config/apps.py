from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HouseConfig(AppConfig):
    name = "once_delivery.config"
    label = "config"
    verbose_name = _("running of the house")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        import_module("once_delivery.config.checks")  # registers them
        import_module("once_delivery.config.celery")  # or .delay() would speak to a broker that nobody named
