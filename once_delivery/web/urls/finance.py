"""The books of a project."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views.finance import entries, quotes, report, terms

urlpatterns: list[URLPattern] = [
    path("finance/", report.books, name="books"),
    path("finance/<slug:code>/", report.report, name="finance"),
    path("finance/<slug:code>/entries/", entries.entries, name="finance-entries"),
    path("finance/<slug:code>/entries/<int:pk>/", entries.entry, name="finance-entry"),
    path("finance/<slug:code>/quotes/", quotes.scopes, name="finance-scopes"),
    path("finance/<slug:code>/quotes/<uuid:uuid>/", quotes.scope, name="finance-scope"),
    path("finance/<slug:code>/terms/", terms.terms, name="finance-terms"),
]
