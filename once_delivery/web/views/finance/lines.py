"""Lines of suppliers' documents that wait for a person, and the answer to one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from billing.models import LineProposal
from billing.services.answer_line import Answer
from billing.services.propose_answer import agree_to_answer, propose_answer, withdraw_proposal
from once_delivery.accounts.models import Project
from once_delivery.common.errors import DomainError
from once_delivery.ui.doors import MemberRequest
from once_delivery.web.project_door import for_finance
from once_delivery.web.selectors.finance.documents import queue_of
from once_delivery.web.selectors.finance.lines import LineNow, attempt_by, keeper_by, line_now

WRONG = 422
FIELDS = ("answer", "attempt", "claim", "owner", "note")


@require_safe
@for_finance
def queue(request: MemberRequest, project: Project) -> HttpResponse:
    """The lines that no attempt fits, or several do; newest first."""
    found = queue_of(project, request.GET.dict())
    return render(request, "web/finance/queue.html", {"project": project, "found": found})


@require_http_methods(["GET", "HEAD", "POST"])
@for_finance
def line(request: MemberRequest, project: Project, pk: int) -> HttpResponse:
    """One line beside the attempts that it may be for, and the answer."""
    now = line_now(project, pk)
    typed = {name: request.POST.get(name, "") for name in FIELDS}
    said, status = "", 200
    if request.method == "POST":
        try:
            done = _act(request, project, now, typed)
        except DomainError as error:
            said, status = error.message, WRONG
            now = line_now(project, pk)
        else:
            messages.success(request, done)
            return redirect("web:finance-queue", code=project.code)
    page = {"project": project, "now": now, "typed": typed, "said": said, "me": request.user}
    return render(request, "web/finance/line.html", page, status=status)


def _act(request: MemberRequest, project: Project, now: LineNow, typed: dict[str, str]) -> str:
    found = now.match.line
    match request.POST.get("act", ""):
        case "agree":
            seen = request.POST.get("seen", "")
            agree_to_answer(project=project, line=found, user=request.user, seen=seen)
            return _("Answered, by two people.")
        case "withdraw":
            withdraw_proposal(project=project, line=found, user=request.user)
            return _("Nothing is proposed for it any more.")
    answer = typed["answer"]
    done = propose_answer(
        project=project,
        line=found,
        answer=Answer(answer) if answer in set(Answer) else Answer.ATTEMPT,
        user=request.user,
        attempt=attempt_by(project, typed["attempt"]),
        claim=typed["claim"],
        owner=keeper_by(now, typed["owner"]),
        note=typed["note"],
    )
    if isinstance(done, LineProposal):
        return _("Proposed. This much takes a second person of finance, who agrees on this line's page.")
    return _("Answered. The document still adds up to its total.")
