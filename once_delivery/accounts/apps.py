from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "once_delivery.accounts"
    label = "accounts"
    verbose_name = _("accounts")
    default_auto_field = "django.db.models.BigAutoField"
