"""One's own account: how one is called and reached, the password, where one is signed in."""

from __future__ import annotations

import zoneinfo
from uuid import UUID

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from once_delivery.accounts.models import Visit
from once_delivery.accounts.services.account import change_password, save_details
from once_delivery.accounts.services.change_email import EmailLinkOverError, take_email, wanted_email
from once_delivery.accounts.services.second_factor import has_second_factor
from once_delivery.accounts.services.visits import end_other_visits, end_visit, visits_of
from once_delivery.common.errors import InvalidInputError
from once_delivery.notices.services.send_email_link import send_email_link
from once_delivery.ui.doors import MemberRequest, ask_to_confirm, freshly_confirmed, is_fresh, signed_in
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.selectors.account import password_rules, visit_rows
from once_delivery.web.selectors.notices import mail_folder
from once_delivery.web.views.preferences import keep_language

FIELDS = ("name", "email", "language", "timezone")


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def account(request: MemberRequest) -> HttpResponse:
    """Name, e-mail, language and time zone. The e-mail opens the door (a new password is sent there): it is risky."""
    user = request.user
    answer = Answer(
        {
            "name": user.get_full_name(),
            "email": user.email,
            "language": user.language,
            "timezone": user.timezone,
        }
    )
    if request.method == "POST":
        typed = {name: request.POST.get(name, "") for name in FIELDS}
        if typed["email"].strip() != user.email and not is_fresh(request):
            return ask_to_confirm(request)
        try:
            wanted = save_details(user=user, **typed)
        except InvalidInputError as error:
            answer = answer_of(error, typed)
        else:
            messages.success(request, _("Saved."))
            if wanted:
                _verify(request, wanted)
            response = redirect("web:account")
            if typed["language"]:
                keep_language(response, typed["language"])
            return response
    page = {
        "answer": answer,
        "fresh": is_fresh(request),
        "zones": sorted(zoneinfo.available_timezones()),
        "has_factor": has_second_factor(user),
        "browsers": visits_of(user).count(),
    }
    return render(request, "web/account.html", page, status=answer.status)


def _verify(request: MemberRequest, wanted: str) -> None:
    send_email_link(user=request.user, email=wanted, language=get_language() or "")
    if mail_folder():
        said = _(
            "No mail server is configured: the link for %(email)s lies as a file with whoever runs the house."
            " That address counts when it was opened."
        )
    else:
        said = _("A link was sent to %(email)s. That address counts when you have opened the link.")
    messages.info(request, said % {"email": wanted})


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def email(request: MemberRequest, claim: str) -> HttpResponse:
    """The link of the e-mail. A program that opens every link of a letter changes nothing: a button does."""
    try:
        wanted = wanted_email(claim=claim, user=request.user)
        if request.method == "POST":
            take_email(claim=claim, user=request.user)
            messages.success(request, _("You are reached at %(email)s from now on.") % {"email": wanted})
            return redirect("web:account")
    except EmailLinkOverError as over:
        response = render(request, "web/email.html", {"error": over}, status=404)
    else:
        response = render(request, "web/email.html", {"wanted": wanted})
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "same-origin"
    return response


@sensitive_post_parameters("password", "again")
@require_http_methods(["GET", "HEAD", "POST"])
@freshly_confirmed
def password(request: MemberRequest) -> HttpResponse:
    """A new password; every other browser is signed out by it."""
    answer = Answer()
    if request.method == "POST":
        wanted = request.POST.get("password", "")
        if wanted != request.POST.get("again", ""):
            answer = Answer(fields={"again": [_("The two are not the same.")]})
        else:
            try:
                ended = change_password(user=request.user, password=wanted, session=request.session)
            except InvalidInputError as error:
                answer = answer_of(error, {})
            else:
                _stay(request)
                messages.success(request, _ended_words(ended))
                return redirect("web:account")
    others = visits_of(request.user).exclude(session_key=request.session.session_key or "").count()
    page = {"answer": answer, "rules": password_rules(), "others": others}
    return render(request, "web/password.html", page, status=answer.status)


def _stay(request: MemberRequest) -> None:
    """This browser stays signed in; its session has another key now."""
    before = request.session.session_key
    update_session_auth_hash(request, request.user)
    if request.session.session_key is None:
        request.session.save()
    Visit.objects.filter(user=request.user, session_key=before or "").update(
        session_key=request.session.session_key
    )


def _ended_words(ended: int) -> str:
    done = _("The password is changed.")
    if not ended:
        return done
    others = ngettext(
        "%(count)s other browser was signed out.", "%(count)s other browsers were signed out.", ended
    )
    return f"{done} {others % {'count': ended}}"


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def visits(request: MemberRequest) -> HttpResponse:
    """Where one is signed in; ending one of them, or all others."""
    if request.method == "POST":
        if request.POST.get("act") == "others":
            ended = end_other_visits(user=request.user, session=request.session)
            said = ngettext("%(count)s browser was signed out.", "%(count)s browsers were signed out.", ended)
            messages.success(request, said % {"count": ended})
        else:
            end_visit(visit=_visit_of(request))
            messages.success(request, _("That browser is signed out."))
        return redirect("web:visits")
    rows = visit_rows(request.user, request.session.session_key or "")
    return render(request, "web/visits.html", {"rows": rows, "others": sum(not row.here for row in rows)})


def _visit_of(request: MemberRequest) -> Visit:
    """One's own, and no other's."""
    try:
        uuid = UUID(request.POST.get("visit", ""))
    except ValueError:
        raise Http404 from None
    found = Visit.objects.filter(user=request.user, uuid=uuid).first()
    if found is None:
        raise Http404
    return found
