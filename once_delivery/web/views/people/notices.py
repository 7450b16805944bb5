"""Where a project's events go, and the outbox."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from once_delivery.accounts.models import Project
from once_delivery.notices.models import Channel, Message, Route
from once_delivery.notices.services.routes import BadRouteError, add_route, remove_route
from once_delivery.notices.services.send_test import send_test
from once_delivery.notices.services.try_again import try_again
from once_delivery.ui.doors import MemberRequest, is_fresh
from once_delivery.ui.one_effect import one_effect
from once_delivery.ui.shown_once import keep_once, take_once
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.project_door import for_admins
from once_delivery.web.selectors.notices import (
    VIEWS,
    counted,
    event_choices,
    letter_row,
    letters_of,
    mail_folder,
    route_rows,
)


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins
@one_effect
def routes(request: MemberRequest, project: Project) -> HttpResponse:
    """Add, test, remove."""
    answer, chosen = Answer({"channel": Channel.EMAIL}), list[str]()
    if request.method == "POST":
        act = request.POST.get("act", "")
        if act in {"test", "remove"}:
            return _about_one(request, project, act)
        typed = {name: request.POST.get(name, "") for name in ("channel", "address")}
        chosen = request.POST.getlist("events")
        try:
            _route, secret = add_route(project=project, **typed, events=chosen, user=request.user)
        except BadRouteError as error:
            answer = answer_of(error, typed, column=error.field)
        else:
            if secret:
                keep_once(request, kind=f"route {project.code}", secret=secret)
            messages.success(request, _("The route is kept. Send a test to see whether it arrives."))
            return redirect("web:routes", code=project.code)
    page = {
        "project": project,
        "rows": route_rows(project),
        "answer": answer,
        "chosen": chosen,
        "fresh": is_fresh(request),
        "events": event_choices(),
        "secret": take_once(request, kind=f"route {project.code}"),
        "folder": mail_folder(),
    }
    return render(request, "web/routes.html", page, status=answer.status)


def _about_one(request: MemberRequest, project: Project, act: str) -> HttpResponse:
    route = (
        Route.objects.filter(project=project, uuid=_uuid(request, "route")).select_related("project").first()
    )
    if route is None:
        raise Http404
    if act == "test":
        send_test(route=route, user=request.user)
        messages.success(request, _("A test waits in the outbox; it leaves within seconds."))
        return redirect("web:outbox", code=project.code)
    remove_route(route=route, user=request.user)
    messages.success(request, _("The route is removed. Nothing goes there any more."))
    return redirect("web:routes", code=project.code)


@require_http_methods(["GET", "HEAD", "POST"])
@for_admins
def outbox(request: MemberRequest, project: Project) -> HttpResponse:
    """What waits, what was sent, what was given up and why; trying again."""
    if request.method == "POST":
        message = Message.objects.filter(project=project, uuid=_uuid(request, "message")).first()
        if message is None:
            raise Http404
        if try_again(message=message):
            messages.success(request, _("It is due again and leaves within seconds."))
        else:
            messages.warning(request, _("It was not given up any more: nothing was changed."))
        return redirect("web:outbox", code=project.code)
    view = request.GET.get("view", "")
    view = view if view in VIEWS else "all"
    page = letters_of(project, view=view, key=request.GET.get("after", ""))
    return render(
        request,
        "web/outbox.html",
        {
            "project": project,
            "page": page,
            "rows": [letter_row(one) for one in page.rows],
            "view": view,
            "counted": counted(project),
            "folder": mail_folder(),
            "fresh": is_fresh(request),
        },
    )


def _uuid(request: MemberRequest, name: str) -> UUID:
    try:
        return UUID(request.POST.get(name, ""))
    except ValueError:
        raise Http404 from None
