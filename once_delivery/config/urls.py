"""The address table: one line a door."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from once_delivery.config.favicon import favicon
from once_delivery.config.health import healthz
from once_delivery.config.window import a_window

handler400 = "once_delivery.config.refusing.bad_request"

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz),
    path("favicon.ico", favicon),
    path("admin/", a_window().urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("hooks/", include("once_delivery.web.hooks")),
    path("api/v1/", include("once_delivery.api.urls")),
    path("drills/vendors/", include("once_delivery.vendor_drill.urls")),
    path("drills/", include("once_delivery.drill.urls")),
    path("", include("once_delivery.web.urls")),
]
