"""The connection test of an API: reads only."""

from __future__ import annotations

from once_delivery.common.http import HttpClient, HttpError
from once_delivery.targets.base import CheckResult
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.rest.looks import Looker
from once_delivery.targets.rest.requests import Requests
from once_delivery.targets.rest.spec import Check, Declaration, Listing

_DEADLINE_S = 10.0
_NO_CREDENTIALS = (401, 403)
_OK = range(200, 300)
# nothing carries it: every real marker has 26 characters behind "once-"
_VALUES = {"marker": "once-check", "client_id": "once-check", "payload": {}}


def run_checks(declaration: Declaration, client: HttpClient, requests: Requests) -> list[CheckResult]:
    """One line for the connection, one for the credentials, one for each declared query."""
    results = [] if declaration.check is None else _reach(declaration.check, client, requests)
    if results and not results[0].ok:
        return results
    for kind, spec in declaration.kinds.items():
        for name, listing in (("look_up", spec.look_up), ("list", spec.list)):
            if listing is not None:
                results.append(_read(f"{name}:{kind}", listing, Looker.within(_DEADLINE_S, client, requests)))
    return results


def _reach(check: Check, client: HttpClient, requests: Requests) -> list[CheckResult]:
    try:
        result = client.send(requests.read(check.query, _VALUES, deadline_s=_DEADLINE_S))
    except HttpError as error:
        return [CheckResult("connection", ok=False, code=error.code, detail=error.detail)]
    fine = result.status in (check.statuses or _OK) and result.status not in _NO_CREDENTIALS
    return [
        CheckResult("connection", ok=True),
        CheckResult("credentials", ok=fine, code="" if fine else f"http-{result.status}"),
    ]


def _read(name: str, listing: Listing, looker: Looker) -> CheckResult:
    """Does the query answer something readable? Its first object is enough."""
    try:
        next(looker.all(listing, _VALUES), None)
    except CutError as error:
        return CheckResult(name, ok=False, code=error.code, detail=error.detail)
    if not listing.every_status:
        return CheckResult(name, ok=False, code="statuses-not-covered")
    return CheckResult(name, ok=True)
