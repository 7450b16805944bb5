"""The help inside."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views import help as help_pages

urlpatterns: list[URLPattern] = [
    path("help/", help_pages.contents, name="help"),
    path("help/<slug:key>/", help_pages.topic, name="help-topic"),
]
