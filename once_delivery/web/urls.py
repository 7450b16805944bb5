"""The pages: one line a page."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from once_delivery.web.views import batches, cases, health, home, preferences, resume, signing, tasks

app_name = "web"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("sign-in/", signing.sign_in, name="sign-in"),
    path("sign-out/", signing.sign_out, name="sign-out"),
    path("preferences/language/", preferences.language, name="language"),
    path("preferences/theme/", preferences.theme, name="theme"),
    path("batches/", batches.batches, name="batches"),
    path("batches/<uuid:uuid>/", batches.batch, name="batch"),
    path("batches/<uuid:uuid>/resume/", resume.resume, name="resume"),
    path("tasks/<uuid:uuid>/", tasks.task, name="task"),
    path("cases/", cases.cases, name="cases"),
    path("cases/<uuid:uuid>/", cases.case, name="case"),
    path("health/live", health.live, name="live"),
    path("health/ready", health.ready, name="ready"),
]
