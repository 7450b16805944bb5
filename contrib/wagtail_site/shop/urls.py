from __future__ import annotations

from django.conf import settings
from django.contrib.staticfiles.views import serve as serve_static
from django.urls import include, path, re_path
from django.views.static import serve
from wagtail import urls as wagtail_urls
from wagtail.admin import urls as admin_urls
from wagtail.api.v3.urls import api

urlpatterns = [
    path("api/v3/", api.urls),
    path("admin/", include(admin_urls)),
    # a site for tests and the demo: the program itself serves what a web server would
    re_path(r"^static/(?P<path>.*)$", serve_static, {"insecure": True}),
    re_path(r"^media/(?P<path>.*)$", serve, {"document_root": settings.MEDIA_ROOT}),
    path("", include(wagtail_urls)),
]
