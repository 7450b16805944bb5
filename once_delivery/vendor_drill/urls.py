"""The pages of vendors' drills."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from once_delivery.vendor_drill import views

app_name = "vendor_drill"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.drills, name="list"),
    path("new/", views.new, name="new"),
    path("compare/", views.compare, name="compare"),
    path("<uuid:uuid>/", views.one, name="one"),
    path("<uuid:uuid>/finish/", views.finish, name="finish"),
    path("<uuid:uuid>/declare/", views.say, name="declare"),
    path("<uuid:uuid>/report.json", views.report_json, name="json"),
    path("<uuid:uuid>/report.html", views.report_file, name="file"),
]
