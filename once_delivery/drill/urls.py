"""The drill's own pages."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from once_delivery.drill import views

app_name = "drill"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.drills, name="list"),
    path("start/", views.start, name="start"),
    path("<uuid:uuid>/", views.drill_report, name="report"),
    path("<uuid:uuid>/report.json", views.drill_json, name="json"),
    path("<uuid:uuid>/report.html", views.drill_file, name="file"),
]
