"""What needs a person."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views import approvals, bulk, case_acts, case_images, case_time, cases

urlpatterns: list[URLPattern] = [
    path("cases/", cases.cases, name="cases"),
    path("cases/export.csv", cases.export, name="cases-export"),
    path("cases/plans/", bulk.plan, name="bulk-plan"),
    path("cases/plans/<uuid:uuid>/", bulk.bulk, name="bulk"),
    path("cases/plans/<uuid:uuid>/run/", bulk.run, name="bulk-run"),
    path("cases/plans/<uuid:uuid>/cancel/", bulk.cancel, name="bulk-cancel"),
    path("cases/<uuid:uuid>/", cases.case, name="case"),
    path("cases/<uuid:uuid>/decide/", case_acts.decide, name="case-decide"),
    path("cases/<uuid:uuid>/answer/", approvals.answer, name="case-answer"),
    path("cases/<uuid:uuid>/withdraw/", approvals.withdraw, name="case-withdraw"),
    path("cases/<uuid:uuid>/hand-over/", case_acts.hand, name="case-hand-over"),
    path("cases/<uuid:uuid>/put-off/", case_acts.put_off, name="case-put-off"),
    path("cases/<uuid:uuid>/comment/", case_acts.comment, name="case-comment"),
    path("cases/<uuid:uuid>/look/", case_acts.look, name="case-look"),
    path("cases/<uuid:uuid>/undo/", case_acts.take_back, name="case-undo"),
    path("cases/<uuid:uuid>/image/", case_images.image, name="case-image"),
    path("cases/<uuid:uuid>/time/", case_time.measure, name="case-time"),
    path("approvals/", approvals.approvals, name="approvals"),
]
