"""Batches, tasks, resuming, importing, finding."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views import batches, import_files, imports, resume, saved_views, search, tasks

urlpatterns: list[URLPattern] = [
    path("batches/", batches.batches, name="batches"),
    path("batches/export.csv", batches.export, name="batches-export"),
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
    path("views/<str:page>/save/", saved_views.save, name="view-save"),
    path("views/<int:number>/", saved_views.change, name="view-change"),
]
