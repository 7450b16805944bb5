"""Suppliers' documents: sent and tried, imported, read line by line."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from billing.models import DocumentKind, SentDocument, SubBucket, Tax
from billing.selectors.suppliers import control_of
from billing.services.send_document import NEW, import_sent, map_sent, send_document, try_sent
from billing.suppliers.fields import FIELDS
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError, InvalidInputError, Problem
from once_delivery.common.sheets.limits import current_limits
from once_delivery.ui.doors import MemberRequest
from once_delivery.web.books import for_finance
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.selectors.finance.documents import (
    document_of,
    documents_of,
    lines_of,
    sent_of,
    suppliers_of,
)
from once_delivery.web.selectors.finance.mapping import columns_of, mapping_from

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
        except InvalidInputError as error:
            answer = answer_of(error, typed)
        else:
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
    act = request.POST.get("act", "")
    if act == "forget":
        found.delete()
        return redirect("web:finance-documents", code=project.code)
    if act == "map":
        map_sent(sent=found, user=request.user, mapping=mapping_from(request.POST))
        return redirect("web:finance-sent", code=project.code, uuid=found.uuid)
    if act == "import":
        return _import(request, project, found)
    return _tried(request, project, found)


def _import(request: MemberRequest, project: Project, found: SentDocument) -> HttpResponse:
    try:
        done = import_sent(sent=found, user=request.user)
    except DomainError:
        return _tried(request, project, found)
    if done.document is None:
        messages.success(request, _("Nothing new was in it: every line was known."))
        return redirect("web:finance-documents", code=project.code)
    messages.success(
        request,
        _("Imported: %(added)s new lines, %(known)s known.") % {"added": done.added, "known": done.known},
    )
    return redirect("web:finance-document", code=project.code, uuid=done.document.uuid)


def _tried(request: MemberRequest, project: Project, found: SentDocument) -> HttpResponse:
    result, status = None, 200
    problems: tuple[Problem, ...] = ()
    try:
        result = try_sent(sent=found, user=request.user)
    except InvalidInputError as error:
        problems, status = error.problems, WRONG
    except DomainError as error:
        problems, status = (Problem(error.code, str(error.template), error.params),), WRONG
    page = {
        "project": project,
        "sent": found,
        "result": result,
        "problems": problems,
        "columns": columns_of(found),
        "fields": [field.name for field in FIELDS],
    }
    return render(request, "web/finance/sent.html", page, status=status)


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
