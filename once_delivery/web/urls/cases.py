"""What needs a person."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views import cases

urlpatterns: list[URLPattern] = [
    path("cases/", cases.cases, name="cases"),
    path("cases/<uuid:uuid>/", cases.case, name="case"),
]
