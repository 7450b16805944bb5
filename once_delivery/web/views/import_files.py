"""Files around an import: the file itself, its problems as a table, samples to begin with."""

from __future__ import annotations

import codecs
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from once_delivery.intake.blank import blank_csv
from once_delivery.intake.report_data import problems_of
from once_delivery.intake.services.uploads import may_import
from once_delivery.ui.csv_lines import csv_line
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.ui.downloads import download
from once_delivery.web.fetch_uploads import upload_of

BLANK = "once-batch.csv"
SAMPLES = ("autumn-launch.csv", "autumn-launch.xlsx", "autumn-launch.json", "broken.csv")


@require_safe
@signed_in
def original(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """The file as it was sent, to be saved and never shown by the browser."""
    upload = upload_of(request.user, uuid)
    if upload.applied_at is None and not may_import(request.user, upload.project):
        raise PermissionDenied
    return download(bytes(upload.data), upload.file_name)


@require_safe
@signed_in
def problems(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """The problems as CSV, for whoever corrects the file."""
    upload = upload_of(request.user, uuid)
    if not may_import(request.user, upload.project):
        raise PermissionDenied
    lines = [csv_line([_("Row"), _("Column"), _("Code of the problem"), _("Problem")])]
    for one in problems_of(upload.report):
        row = "" if one.row is None else one.row
        lines.append(csv_line([row, one.column or one.pointer or "", one.code, one.message]))
    return download(codecs.BOM_UTF8 + b"".join(lines), "problems.csv")


@require_safe
@signed_in
def sample(request: MemberRequest, name: str) -> HttpResponse:
    """An empty file with the headings in the reader's language, or a filled one."""
    if name == BLANK:
        return download(blank_csv(chinese=(get_language() or "").startswith("zh")), BLANK)
    if name not in SAMPLES:
        raise Http404
    return download((Path(settings.BASE_DIR) / "docs" / "samples" / name).read_bytes(), name)
