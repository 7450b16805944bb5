from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReviewConfig(AppConfig):
    name = "once_delivery.review"
    label = "review"
    verbose_name = _("review")
    default_auto_field = "django.db.models.BigAutoField"
