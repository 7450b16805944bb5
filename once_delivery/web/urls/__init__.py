"""The pages: one module a part of the house, one line a page."""

from __future__ import annotations

from django.urls import URLPattern

from once_delivery.web.urls import cases, deliveries, doors, finance, people, review, targets
from once_delivery.web.urls import help as help_pages

app_name = "web"
urlpatterns: list[URLPattern] = [
    *doors.urlpatterns,
    *deliveries.urlpatterns,
    *cases.urlpatterns,
    *review.urlpatterns,
    *targets.urlpatterns,
    *finance.urlpatterns,
    *people.urlpatterns,
    *help_pages.urlpatterns,
]
