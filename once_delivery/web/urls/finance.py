"""The books of a project."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views.finance import documents, duplicates, entries, quotes, report, terms

urlpatterns: list[URLPattern] = [
    path("finance/", report.books, name="books"),
    path("finance/<slug:code>/", report.report, name="finance"),
    path("finance/<slug:code>/entries/", entries.entries, name="finance-entries"),
    path("finance/<slug:code>/entries/<int:pk>/", entries.entry, name="finance-entry"),
    path("finance/<slug:code>/assets/", report.assets, name="finance-assets"),
    path("finance/<slug:code>/documents/", documents.documents, name="finance-documents"),
    path("finance/<slug:code>/documents/<uuid:uuid>/", documents.document, name="finance-document"),
    path("finance/<slug:code>/documents/sent/<uuid:uuid>/", documents.sent, name="finance-sent"),
    path("finance/<slug:code>/duplicates/", duplicates.duplicates, name="finance-duplicates"),
    path("finance/<slug:code>/duplicates/<int:pk>/", duplicates.duplicate, name="finance-duplicate"),
    path("finance/<slug:code>/quotes/", quotes.scopes, name="finance-scopes"),
    path("finance/<slug:code>/quotes/<uuid:uuid>/", quotes.scope, name="finance-scope"),
    path("finance/<slug:code>/terms/", terms.terms, name="finance-terms"),
]
