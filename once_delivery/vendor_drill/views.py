"""Drills of vendors: the list, a new one, following it live, finishing it, its report, several side by side."""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh
from kombu.exceptions import OperationalError

from once_delivery.accounts.access import projects_of
from once_delivery.common.errors import DomainError
from once_delivery.drill.wanting import Wish, may_run, may_start, wishes_of
from once_delivery.targets.check_words import KINDS
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.ui.downloads import saved_as
from once_delivery.ui.one_effect import one_effect
from once_delivery.ui.shown_once import keep_once, take_once
from once_delivery.vendor_drill import tasks
from once_delivery.vendor_drill.addresses import base_url_of
from once_delivery.vendor_drill.comparison import MOST, compared
from once_delivery.vendor_drill.errors import BadAgreementError
from once_delivery.vendor_drill.forms import DEFAULTS, MINUTES, Typed, agreement_of, typed_of
from once_delivery.vendor_drill.models import UNDER_WAY, Declared, Fault, Recognise, VendorDrill
from once_delivery.vendor_drill.report import context, document
from once_delivery.vendor_drill.running_here import sandbox_token, sandbox_url
from once_delivery.vendor_drill.services.close_drill import close_drill
from once_delivery.vendor_drill.services.declare import declare
from once_delivery.vendor_drill.services.start_drill import start_drill
from once_delivery.vendor_drill.wording import HAPPENS

SHOWN = 100
REFUSED, CONFLICT = 422, 409


@require_safe
@signed_in
def drills(request: MemberRequest) -> HttpResponse:
    """The latest of my projects; those that are ticked are compared."""
    failed = Count("verdicts", filter=Q(verdicts__passed=False))
    page = {"drills": _mine(request).annotate(failed=failed)[:SHOWN], "may_start": may_start(request.user)}
    return render(request, "vendor_drill/list.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@one_effect
def new(request: MemberRequest) -> HttpResponse:
    """What is agreed on; the base URL is shown on the next page, once."""
    if not may_start(request.user):
        raise PermissionDenied
    wishes = {one.value: one for one in wishes_of(request.user, sandbox=bool(sandbox_url()))}
    if request.method != "POST":
        typed = Typed({**DEFAULTS, "what": request.GET.get("target", "")})
        return _form(request, list(wishes.values()), typed)
    typed = typed_of(request.POST)
    wish = wishes.get(typed.values["what"])
    if wish is None:
        raise Http404
    try:
        started = start_drill(
            project=wish.project,
            target=wish.target,
            agreement=agreement_of(typed),
            user=request.user,
            sandbox_url=sandbox_url(),
            sandbox_token=sandbox_token(),
        )
    except DomainError as error:
        field = error.field if isinstance(error, BadAgreementError) else ""
        answer = typed_of(request.POST, wrong=field, error=error.message)
        return _form(request, list(wishes.values()), answer, status=REFUSED if field else CONFLICT)
    secret = f"{base_url_of(started.secret)} {started.token}"
    keep_once(request, kind=_kind(started.drill), secret=secret)
    _wake(started.drill)
    return redirect("vendor_drill:one", uuid=started.drill.uuid)


@require_safe
@signed_in
def one(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Live while it is under way (the part "live" is fetched again), its report afterwards."""
    drill = _drill(request, uuid)
    if request.htmx:
        if drill.status not in UNDER_WAY:
            return HttpResponseClientRefresh()  # the whole page has the buttons of a report
        return render(request, "vendor_drill/one.html#live", context(drill))
    base_url, _space, token = take_once(request, kind=_kind(drill)).partition(" ")
    page = {
        **context(drill),
        "project": drill.project,
        "base_url": base_url,
        "token": token,
        "may_run": may_run(request.user, drill.project),
        "declared": Declared,
    }
    return render(request, "vendor_drill/one.html", page)


@require_POST
@signed_in
def finish(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Nothing more is forwarded; a worker counts."""
    drill = _run_by(request, uuid)
    try:
        close_drill(drill=drill, user=request.user)
    except DomainError as error:
        messages.warning(request, error.message)
    else:
        _wake(drill)
    return redirect("vendor_drill:one", uuid=uuid)


@require_POST
@signed_in
@one_effect
def say(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """What the vendor's lead declares, with a name."""
    drill = _run_by(request, uuid)
    kind = request.POST.get("kind", "")
    if kind not in Declared.values:
        raise Http404
    try:
        declare(
            drill=drill,
            kind=kind,
            item=request.POST.get("item", ""),
            name=request.POST.get("name", ""),
            note=request.POST.get("note", ""),
            user=request.user,
        )
    except BadAgreementError:
        messages.warning(request, _("A declaration needs an item and a name."))
    except DomainError as error:
        messages.warning(request, error.message)
    return redirect("vendor_drill:one", uuid=uuid)


@require_safe
@signed_in
def report_json(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One report for machines."""
    drill = _drill(request, uuid)
    answer = JsonResponse(document(drill), json_dumps_params={"ensure_ascii": False, "indent": 2})
    return saved_as(answer, f"vendor-drill-{uuid}.json")


@require_safe
@signed_in
def report_file(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """One report as a file that stands alone; always a download, so that its style never meets our CSP."""
    page = render_to_string("vendor_drill/report_file.html", context(_drill(request, uuid)))
    return saved_as(HttpResponse(page), f"vendor-drill-{uuid}.html")


@require_safe
@signed_in
def compare(request: MemberRequest) -> HttpResponse:
    """Those that the address names, in its order."""
    wanted = []
    for text in request.GET.getlist("drill")[:MOST]:
        try:
            wanted.append(UUID(text))
        except ValueError:
            raise Http404 from None
    found = {each.uuid: each for each in _mine(request).filter(uuid__in=wanted)}
    if len(found) != len(set(wanted)):
        raise Http404
    page = {"compared": compared([found[uuid] for uuid in dict.fromkeys(wanted)]), "most": MOST}
    return render(request, "vendor_drill/compare.html", page)


def _form(request: MemberRequest, wishes: list[Wish], typed: Typed, *, status: int = 200) -> HttpResponse:
    page = {
        "wishes": wishes,
        "typed": typed.values,
        "faults": [(fault, fault.label, HAPPENS[fault], fault in typed.faults) for fault in Fault],
        "recognise": Recognise.choices,
        "kinds": [(str(kind), words) for kind, words in KINDS.items()],
        "minutes": MINUTES,
        "wrong": typed.wrong,
        "said": [typed.error],
        "error": "" if typed.wrong else typed.error,
    }
    return render(request, "vendor_drill/new.html", page, status=status)


def _wake(drill: VendorDrill) -> None:
    """When the row is committed; a worker that cannot be told finds it by the next sweep."""

    def tell() -> None:
        with suppress(OperationalError):
            tasks.count.delay(drill.pk)

    transaction.on_commit(tell)


def _kind(drill: VendorDrill) -> str:
    return f"vendor-drill {drill.uuid}"


def _mine(request: MemberRequest) -> QuerySet[VendorDrill]:
    return (
        VendorDrill.objects.filter(project__in=projects_of(request.user))
        .select_related("project", "target", "started_by", "closed_by")
        .order_by("-asked_at")
    )


def _drill(request: MemberRequest, uuid: UUID) -> VendorDrill:
    found = _mine(request).filter(uuid=uuid).first()
    if found is None:
        raise Http404
    return found


def _run_by(request: MemberRequest, uuid: UUID) -> VendorDrill:
    drill = _drill(request, uuid)
    if not may_run(request.user, drill.project):
        raise PermissionDenied
    return drill
