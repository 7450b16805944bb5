from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class VendorDrillConfig(AppConfig):
    name = "once_delivery.vendor_drill"
    label = "vendor_drill"
    verbose_name = _("drills of vendors")
    default_auto_field = "django.db.models.BigAutoField"
