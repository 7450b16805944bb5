"""Reports as files: asked for, made by a worker, fetched by their link."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from billing import tasks
from billing.models import Profile
from billing.reports.scope import scope_of
from billing.services.ask_export import ask_export
from billing.services.fetch_export import (
    ExportNotReadyError,
    ExportOverError,
    NoSuchExportError,
    fetch_export,
)
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.ui.doors import MemberRequest
from once_delivery.ui.waking import wake
from once_delivery.web.project_door import for_finance
from once_delivery.web.selectors.finance.exports import FORMATS, exports_of
from once_delivery.web.selectors.finance.report import scope_asked

WRONG = 422
FIELDS = ("report", "format", "profile", "first", "last", "basis")


@require_http_methods(["GET", "HEAD", "POST"])
@for_finance
def exports(request: MemberRequest, project: Project) -> HttpResponse:
    """The reports that there are, asking for one as a file, and the files of this person."""
    typed = {name: request.GET.get(name, "") for name in FIELDS}
    said, status = "", 200
    if request.method == "POST":
        typed = {name: request.POST.get(name, "") for name in FIELDS}
        try:
            _ask(request, project, typed)
        except DomainError as error:
            said, status = error.message, WRONG
        else:
            messages.success(request, _("It is being made. You may leave this page; the file waits here."))
            return redirect("web:finance-exports", code=project.code)
    if not typed["first"]:
        month = scope_asked(project, {}).first
        typed |= {"first": f"{month:%Y-%m}" if month else "", "last": f"{month:%Y-%m}" if month else ""}
    page = {
        "project": project,
        "found": exports_of(project, request.user, request.GET.dict()),
        "formats": FORMATS,
        "profiles": Profile.choices,
        "typed": typed,
        "said": said,
    }
    part = "#live" if request.htmx else ""
    return render(request, f"web/finance/exports.html{part}", page, status=status)


def _ask(request: MemberRequest, project: Project, typed: dict[str, str]) -> None:
    scope = scope_of(project, {name: typed[name] for name in ("first", "last", "basis")})
    export = ask_export(
        user=request.user,
        scope=scope,
        report=typed["report"],
        format=typed["format"],
        profile=typed["profile"],
    )
    wake(request, tasks.make_export, export.pk)


@require_safe
@for_finance
def fetch(request: MemberRequest, project: Project, token: str) -> HttpResponse:
    """The file that a link leads to; what is another's, or made up, is not there."""
    try:
        found = fetch_export(user=request.user, project=project, token=token)
    except NoSuchExportError:
        raise Http404 from None
    except (ExportNotReadyError, ExportOverError) as error:
        messages.warning(request, error.message)
        return redirect("web:finance-exports", code=project.code)
    answer = FileResponse(found.path.open("rb"), as_attachment=True, filename=found.file_name)
    answer["Content-Type"] = found.content_type
    return cast(HttpResponse, answer)  # the doors only set headers
