"""Batches, tasks, resuming, importing, finding."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views import batches, import_files, imports, resume, search, tasks

urlpatterns: list[URLPattern] = [
    path("batches/", batches.batches, name="batches"),
    path("batches/import/", imports.begin, name="import"),
    path("batches/import/samples/<str:name>", import_files.sample, name="import-sample"),
    path("batches/import/<uuid:uuid>/", imports.file, name="import-file"),
    path("batches/import/<uuid:uuid>/apply/", imports.apply, name="import-apply"),
    path("batches/import/<uuid:uuid>/original", import_files.original, name="import-original"),
    path("batches/import/<uuid:uuid>/problems.csv", import_files.problems, name="import-problems"),
    path("batches/<uuid:uuid>/", batches.batch, name="batch"),
    path("batches/<uuid:uuid>/resume/", resume.resume, name="resume"),
    path("tasks/<uuid:uuid>/", tasks.task, name="task"),
    path("search/", search.search, name="search"),
]
