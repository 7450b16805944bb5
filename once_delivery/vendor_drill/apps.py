from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class VendorDrillConfig(AppConfig):
    name = "once_delivery.vendor_drill"
    label = "vendor_drill"
    verbose_name = _("drills of vendors")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from once_delivery.targets.holding import keep_while  # noqa: PLC0415 - no models before this
        from once_delivery.vendor_drill.services.hold_target import refuse_under_way  # noqa: PLC0415

        keep_while(refuse_under_way)
