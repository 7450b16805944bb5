"""A form has one effect, however often it is sent: it carries a number of its own (``{% one_effect %}``).

For what would make a second one: a token, an invitation, a link, a comment. What compares with the state that the
person saw, or is unique by itself, needs none.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Concatenate, ParamSpec
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.utils import timezone

from once_delivery.ui.doors import MemberRequest
from once_delivery.ui.models import FormSent
from once_delivery.ui.refilling import was_done

P = ParamSpec("P")
View = Callable[Concatenate[MemberRequest, P], HttpResponse]
FIELD = "one_effect"
_KEPT_FOR = timedelta(days=1)
_REDIRECTS = range(300, 400)


def one_effect(view: View[P]) -> View[P]:
    """Inside the door (the person is known). A form that was carried out leads where it led; nothing is done again.

    The view runs in a transaction with the note that it did, so that of two at once the second waits for the first. A
    form that was refused, or asks first who the person is, may be sent again.
    """

    @wraps(view)
    def entered(request: MemberRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        nonce = _nonce(request)
        if nonce is None:
            return view(request, *args, **kwargs)
        with transaction.atomic():
            sent, first = FormSent.objects.get_or_create(user=request.user, nonce=nonce)
            if not first:
                return HttpResponseRedirect(sent.led_to or request.path)
            response = view(request, *args, **kwargs)
            _note(sent, response, done=was_done(request))
        return response

    return entered


def _note(sent: FormSent, response: HttpResponse, *, done: bool) -> None:
    goal = response.get("Location", "")
    if response.status_code in _REDIRECTS and done:
        FormSent.objects.filter(pk=sent.pk).update(led_to=goal[:1000])
        FormSent.objects.filter(user=sent.user_id, at__lt=timezone.now() - _KEPT_FOR).delete()
    else:
        sent.delete()


def _nonce(request: MemberRequest) -> UUID | None:
    if request.method != "POST":
        return None
    try:
        return UUID(request.POST.get(FIELD, ""))
    except ValueError:
        return None
