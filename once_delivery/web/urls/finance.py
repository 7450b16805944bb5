"""The books of a project."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views.finance import (
    documents,
    duplicates,
    entries,
    exports,
    lines,
    periods,
    quotes,
    rates,
    report,
    tables,
    terms,
)

urlpatterns: list[URLPattern] = [
    path("finance/", report.books, name="books"),
    path("finance/<slug:code>/", report.report, name="finance"),
    path("finance/<slug:code>/entries/", entries.entries, name="finance-entries"),
    path("finance/<slug:code>/entries/<int:pk>/", entries.entry, name="finance-entry"),
    path("finance/<slug:code>/assets/", report.assets, name="finance-assets"),
    path("finance/<slug:code>/documents/", documents.documents, name="finance-documents"),
    path(
        "finance/<slug:code>/documents/blank.csv", documents.blank, {"kind": "csv"}, name="finance-blank-csv"
    ),
    path(
        "finance/<slug:code>/documents/blank.xlsx",
        documents.blank,
        {"kind": "xlsx"},
        name="finance-blank-xlsx",
    ),
    path("finance/<slug:code>/documents/<uuid:uuid>/", documents.document, name="finance-document"),
    path("finance/<slug:code>/documents/sent/<uuid:uuid>/", documents.sent, name="finance-sent"),
    path("finance/<slug:code>/duplicates/", duplicates.duplicates, name="finance-duplicates"),
    path("finance/<slug:code>/duplicates/<int:pk>/", duplicates.duplicate, name="finance-duplicate"),
    path("finance/<slug:code>/months/", periods.periods, name="finance-periods"),
    path("finance/<slug:code>/months/<slug:month>/", periods.period, name="finance-period"),
    path(
        "finance/<slug:code>/months/<slug:month>/certificate.json",
        periods.certificate,
        name="finance-certificate",
    ),
    path("finance/<slug:code>/lines/", lines.queue, name="finance-queue"),
    path("finance/<slug:code>/lines/<int:pk>/", lines.line, name="finance-line"),
    path("finance/<slug:code>/reports/", exports.exports, name="finance-exports"),
    path("finance/<slug:code>/reports/<slug:report>/", tables.table, name="finance-table"),
    path("finance/<slug:code>/files/<str:token>/", exports.fetch, name="finance-fetch"),
    path("finance/<slug:code>/quotes/", quotes.scopes, name="finance-scopes"),
    path("finance/<slug:code>/quotes/<uuid:uuid>/", quotes.scope, name="finance-scope"),
    path("finance/<slug:code>/rates/", rates.rates, name="finance-rates"),
    path("finance/<slug:code>/terms/", terms.terms, name="finance-terms"),
]
