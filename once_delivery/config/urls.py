"""The address table: one line a door."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from once_delivery.config.health import healthz

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("drills/", include("once_delivery.drill.urls")),
    path("", include("once_delivery.web.urls")),
]
