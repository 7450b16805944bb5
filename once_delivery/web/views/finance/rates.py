"""Exchange rates, prices, rate cards and fees: kept with a date and a source, never changed."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from billing.models import PlatformFee, SubBucket
from billing.services.import_prices import import_prices
from billing.services.import_rates import SourceNeededError, import_rates
from billing.services.save_platform_fee import save_platform_fee
from billing.services.save_price import save_price
from billing.services.save_rate_card import save_rate_card
from billing.typed import MOST, Typed
from once_delivery.accounts.models import Project, Role
from once_delivery.common.errors import DomainError
from once_delivery.common.sheets.limits import current_limits
from once_delivery.ui.doors import MemberRequest
from once_delivery.web.forms import Answer, answer_of
from once_delivery.web.project_door import for_finance
from once_delivery.web.selectors.finance.rates import rates_of

FIELDS = (
    "act",
    "source",
    "base",
    "currency",
    "valid_from",
    "provider",
    "model",
    "unit",
    "price",
    "role",
    "hourly",
    "code",
    "sub_bucket",
    "per",
    "amount",
)
FEE_BUCKETS = (SubBucket.PLATFORM, SubBucket.ORCHESTRATION)
EVERYBODY = "everybody"


@require_http_methods(["GET", "HEAD", "POST"])
@for_finance
def rates(request: MemberRequest, project: Project) -> HttpResponse:
    """What is kept, what has no price, and one form for each kind."""
    forms = {act: _empty(act) for act in _ACTS}
    answer = Answer()
    if request.method == "POST":
        typed = {name: request.POST.get(name, "") for name in FIELDS}
        sent = typed["act"] if typed["act"] in _ACTS else "rates"
        try:
            said = _ACTS[sent](request, project, Typed(typed))
        except DomainError as error:
            beside = "source" if isinstance(error, SourceNeededError) else ""
            answer = forms[sent] = answer_of(error, typed, column=beside)
        else:
            messages.success(request, said)
            return redirect("web:finance-rates", code=project.code)
    page = {
        "project": project,
        "found": rates_of(project),
        "answer": answer,
        # what was typed, and what is wrong with it, stands in the form that was sent and in no other
        "forms": forms,
        "roles": [*Role.choices, (EVERYBODY, _("everybody else"))],
        "pers": PlatformFee.Per.choices,
        "fee_buckets": [(one.value, one.label) for one in FEE_BUCKETS],
    }
    return render(request, "web/finance/rates.html", page, status=answer.status)


def _empty(act: str) -> Answer:
    typed = dict.fromkeys(FIELDS, "") | {"valid_from": timezone.localdate().isoformat(), "base": "EUR"}
    return Answer(typed | ({"currency": "CNY"} if act in {"card", "fee"} else {}))


def _file(request: MemberRequest) -> tuple[bytes, str]:
    file = request.FILES.get("file")
    return (file.read(current_limits().file_bytes + 1), file.name or "") if file else (b"", "")


def _rates_file(request: MemberRequest, project: Project, form: Typed) -> str:
    data, name = _file(request)
    source, base = form.text("source", needed=False), form.text("base", needed=False)
    form.judge()
    new = import_rates(
        project=project,
        data=data,
        file_name=name,
        source=source,
        base=base or "EUR",
        user=request.user,
    )
    return ngettext("%(count)s new rate is kept.", "%(count)s new rates are kept.", new) % {"count": new}


def _prices_file(request: MemberRequest, project: Project, form: Typed) -> str:
    data, name = _file(request)
    source = form.text("source", most=300, needed=False)
    day = form.day("valid_from") if form.text("valid_from", needed=False) else None
    form.judge()
    done = import_prices(
        project=project,
        data=data,
        file_name=name,
        source=source,
        valid_from=day,
        user=request.user,
    )
    return _("%(new)s of %(read)s prices are new.") % {"new": done.new, "read": done.read}


def _price(request: MemberRequest, project: Project, form: Typed) -> str:
    price, currency, day = form.number("price"), form.currency("currency"), form.day("valid_from")
    provider, unit, source = form.text("provider", most=50), form.text("unit", most=60), form.text("source")
    model = form.text("model", needed=False)
    form.judge()
    save_price(
        project=project,
        user=request.user,
        provider=provider,
        model=model,
        unit=unit,
        price=price or Decimal(0),
        currency=currency,
        valid_from=day,
        source=source,
    )
    return _("The price is kept. What was used and waited for it has a cost now.")


def _card(request: MemberRequest, project: Project, form: Typed) -> str:
    hourly, currency, day = (
        form.number("hourly", most=MOST),
        form.currency("currency"),
        form.day("valid_from"),
    )
    role = form.choice("role", frozenset({*Role.values, EVERYBODY}))
    form.judge()
    save_rate_card(
        project=project,
        user=request.user,
        hourly=hourly or Decimal(0),
        currency=currency,
        valid_from=day,
        role="" if role == EVERYBODY else role,
    )
    return _("The rate card is kept.")


def _fee(request: MemberRequest, project: Project, form: Typed) -> str:
    amount, currency, day = (
        form.number("amount", most=MOST),
        form.currency("currency"),
        form.day("valid_from"),
    )
    code = form.text("code", most=50)
    sub_bucket = form.choice("sub_bucket", frozenset(FEE_BUCKETS))
    per = form.choice("per", frozenset(PlatformFee.Per.values))
    form.judge()
    save_platform_fee(
        project=project,
        user=request.user,
        code=code,
        sub_bucket=SubBucket(sub_bucket),
        per=PlatformFee.Per(per),
        amount=amount or Decimal(0),
        currency=currency,
        valid_from=day,
    )
    return _("The fee is kept.")


_ACTS: dict[str, Callable[[MemberRequest, Project, Typed], str]] = {
    "rates": _rates_file,
    "prices": _prices_file,
    "price": _price,
    "card": _card,
    "fee": _fee,
}
