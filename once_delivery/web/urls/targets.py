"""Targets, probes and audits."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views import audits, target_form, targets

urlpatterns: list[URLPattern] = [
    path("targets/", targets.targets, name="targets"),
    path("targets/new/", target_form.new, name="target-new"),
    path("targets/<uuid:uuid>/", targets.target, name="target"),
    path("targets/<uuid:uuid>/edit/", target_form.edit, name="target-edit"),
    path("targets/<uuid:uuid>/check/", targets.check, name="target-check"),
    path("targets/<uuid:uuid>/probe/", targets.probe, name="target-probe"),
    path("targets/<uuid:uuid>/audits/", audits.audits, name="audits"),
    path("targets/<uuid:uuid>/audits/<uuid:audit_uuid>/", audits.audit, name="audit"),
    path("targets/<uuid:uuid>/audits/<uuid:audit_uuid>/findings.csv", audits.findings_csv, name="findings"),
    path("targets/<uuid:uuid>/findings/<uuid:finding_uuid>/", audits.finding, name="finding"),
]
