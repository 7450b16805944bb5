"""The address table: one line a door."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django_otp.admin import OTPAdminSite

from once_delivery.config.health import healthz

# the admin's window asks for the second factor too
admin.site.__class__ = OTPAdminSite

handler400 = "once_delivery.config.refusing.bad_request"

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("hooks/", include("once_delivery.web.hooks")),
    path("api/v1/", include("once_delivery.api.urls")),
    path("drills/vendors/", include("once_delivery.vendor_drill.urls")),
    path("drills/", include("once_delivery.drill.urls")),
    path("", include("once_delivery.web.urls")),
]
