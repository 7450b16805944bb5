"""Suppliers' documents: sent and tried, imported, read line by line."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from billing import tasks
from billing.models import DocumentKind, SentDocument, SentWork, SubBucket, Tax
from billing.selectors.suppliers import control_of
from billing.services.send_document import (
    NEW,
    TooManySentError,
    import_sent,
    map_sent,
    send_document,
    try_sent,
)
from billing.services.work_on_sent import ask_work, is_long
from billing.suppliers.blank import blank_csv, blank_xlsx
from billing.suppliers.incoming import Imported
from billing.suppliers.outcome import imported_of, problems_in, problems_of
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError, InvalidInputError, Problem
from once_delivery.common.sheets.limits import current_limits
from once_delivery.ui.doors import MemberRequest
from once_delivery.ui.downloads import download
from once_delivery.ui.waking import wake
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.project_door import for_finance
from once_delivery.web.selectors.finance.documents import (
    document_of,
    documents_of,
    lines_of,
    sent_of,
    suppliers_of,
)
from once_delivery.web.selectors.finance.mapping import columns_of, field_choices, mapping_from
from once_delivery.web.templatetags.money import grouped

WRONG = 422
FIELDS_OF_FORM = (
    "supplier",
    "supplier_name",
    "sub_bucket",
    "kind",
    "number",
    "dated",
    "period",
    "total",
    "currency",
    "tax_treatment",
    "late",
    "credits_number",
)


@require_http_methods(["GET", "HEAD", "POST"])
@for_finance
def documents(request: MemberRequest, project: Project) -> HttpResponse:
    """What was imported, what was sent and waits, and sending a file."""
    answer = Answer(
        dict.fromkeys(FIELDS_OF_FORM, "")
        | {"kind": DocumentKind.INVOICE.value, "tax_treatment": Tax.RECOVERABLE.value}
        | {"dated": timezone.localdate().isoformat(), "sub_bucket": SubBucket.GENERATION.value}
    )
    if request.method == "POST":
        typed = {name: request.POST.get(name, "") for name in FIELDS_OF_FORM}
        file = request.FILES.get("file")
        most = current_limits().file_bytes
        try:
            sent = send_document(
                project=project,
                user=request.user,
                typed=typed,
                data=file.read(most + 1) if file else b"",
                file_name=(file.name if file else "") or "",
            )
        except (InvalidInputError, TooManySentError) as error:
            answer = answer_of(error, typed)
        else:
            if is_long(sent):
                _ask(request, sent, SentWork.TRY)
            return redirect("web:finance-sent", code=project.code, uuid=sent.uuid)
    page = {
        "project": project,
        "found": documents_of(project, request.user, request.GET.dict()),
        "suppliers": suppliers_of(project),
        "answer": answer,
        "new": NEW,
        "kinds": DocumentKind.choices,
        "sub_buckets": SubBucket.choices,
        "treatments": Tax.choices,
    }
    return render(request, "web/finance/documents.html", page, status=answer.status)


@require_http_methods(["GET", "HEAD", "POST"])
@for_finance
def sent(request: MemberRequest, project: Project, uuid: UUID) -> HttpResponse:
    """What importing the file would do, or what stands in its way; its columns; importing it."""
    found = sent_of(project, request.user, uuid)
    if found.under_way:
        return _under_way(request, project, found)
    if request.htmx:
        return HttpResponseClientRefresh()  # the whole page says what came of it
    if found.document is not None:
        return redirect("web:finance-document", code=project.code, uuid=found.document.uuid)
    return _act(request, project, found)


def _act(request: MemberRequest, project: Project, found: SentDocument) -> HttpResponse:
    match request.POST.get("act", ""):
        case "forget":
            found.delete()
            return redirect("web:finance-documents", code=project.code)
        case "import":
            return _import(request, project, found)
        case "map":
            map_sent(sent=found, user=request.user, mapping=mapping_from(request.POST))
            if is_long(found):
                _ask(request, found, SentWork.TRY)
            return redirect("web:finance-sent", code=project.code, uuid=found.uuid)
        case "again":
            if is_long(found):
                _ask(request, found, SentWork.TRY)
            return redirect("web:finance-sent", code=project.code, uuid=found.uuid)
        case _:
            return _tried(request, project, found)


def _ask(request: MemberRequest, sent: SentDocument, work: SentWork) -> None:
    if ask_work(sent=sent, user=request.user, work=work):
        wake(request, tasks.work_on_sent, sent.pk)


def _under_way(request: MemberRequest, project: Project, found: SentDocument) -> HttpResponse:
    """How far the worker is. A form that is sent meanwhile is a second click."""
    if request.method == "POST":
        return redirect("web:finance-sent", code=project.code, uuid=found.uuid)
    part = "#live" if request.htmx else ""
    return render(request, f"web/finance/sent_under_way.html{part}", {"project": project, "sent": found})


def _import(request: MemberRequest, project: Project, found: SentDocument) -> HttpResponse:
    if is_long(found):
        _ask(request, found, SentWork.IMPORT)
        return redirect("web:finance-sent", code=project.code, uuid=found.uuid)
    try:
        done = import_sent(sent=found, user=request.user)
    except DomainError:
        return _tried(request, project, found)
    if done.document is None:
        messages.success(request, _("Nothing new was in it: every line was known."))
        return redirect("web:finance-documents", code=project.code)
    counted = {"added": grouped(done.added), "known": grouped(done.known)}
    messages.success(request, _("Imported: %(added)s new lines, %(known)s known.") % counted)
    return redirect("web:finance-document", code=project.code, uuid=done.document.uuid)


def _tried(request: MemberRequest, project: Project, found: SentDocument) -> HttpResponse:
    result: Imported | None = None
    problems: tuple[Problem, ...] = ()
    if found.told is not None:
        problems = problems_of(found.told)
        result = None if problems else imported_of(found.told)
    else:
        try:
            result = try_sent(sent=found, user=request.user)
        except DomainError as error:
            problems = problems_in(error)
    page = {
        "project": project,
        "sent": found,
        "result": result,
        "problems": problems,
        "columns": columns_of(found),
        "fields": field_choices(),
    }
    # the report of a trial is a page like any other; what was asked for and refused is not
    refused = problems and request.method == "POST"
    return render(request, "web/finance/sent.html", page, status=WRONG if refused else 200)


@require_safe
@for_finance
def blank(request: MemberRequest, project: Project, kind: str) -> HttpResponse:
    """An empty file with the columns that are read, headed in the reader's language."""
    chinese = (get_language() or "").startswith("zh")
    write = {"csv": blank_csv, "xlsx": blank_xlsx}[kind]
    return download(write(chinese=chinese), f"supplier-document.{kind}")


@require_safe
@for_finance
def document(request: MemberRequest, project: Project, uuid: UUID) -> HttpResponse:
    """One document with its lines and what each was matched to."""
    found = document_of(project, uuid)
    lines, after = lines_of(found, request.GET.dict())
    page = {
        "project": project,
        "document": found,
        "lines": lines,
        "after": after,
        "control": control_of(found),
    }
    return render(request, "web/finance/document.html", page)
