"""Batches, tasks, resuming, importing, finding."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views import batches, resume, tasks

urlpatterns: list[URLPattern] = [
    path("batches/", batches.batches, name="batches"),
    path("batches/<uuid:uuid>/", batches.batch, name="batch"),
    path("batches/<uuid:uuid>/resume/", resume.resume, name="resume"),
    path("tasks/<uuid:uuid>/", tasks.task, name="task"),
]
