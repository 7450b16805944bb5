from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LedgerConfig(AppConfig):
    name = "once_delivery.ledger"
    label = "ledger"
    verbose_name = _("ledger")
    default_auto_field = "django.db.models.BigAutoField"
