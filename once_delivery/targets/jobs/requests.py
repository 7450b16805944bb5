"""From templates and what was ordered to requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from once_delivery.common.http import HttpClient, HttpRequest
from once_delivery.targets.base import EffectRequest, LookUpRequest
from once_delivery.targets.content import PayloadError, json_bytes
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.template import Segments, TemplateError, Text, fill_tree
from once_delivery.targets.jobs.objects import Sought
from once_delivery.targets.jobs.spec import Address, Service, Submit
from once_delivery.targets.jobs.tokens import Headers

Values = Mapping[str, Any]
_APP_PARTS = 2  # of a model's name: owner and app; what follows is its endpoint


@dataclass(frozen=True, slots=True)
class Requests:
    """Builds the requests to one service."""

    base_url: str
    service: Service
    prove: Headers

    def submit(self, submit: Submit, request: EffectRequest, callback_url: str) -> HttpRequest:
        """The request that starts the job; raises PayloadError when something is missing."""
        values = ordered(request.payload, sought(request))
        if callback_url:
            values["callback_url"] = callback_url
        try:
            body = json_bytes(fill_tree(submit.body, values))
            path, query = self.address(submit.address, values)
            headers = self.headers(submit.address, values)
        except TemplateError as error:
            raise PayloadError(error.code, error.name) from None
        url = self.base_url + path + (f"?{urlencode(query)}" if query else "")
        return HttpRequest(
            "POST", url, request.deadline_s, {**headers, "Content-Type": "application/json"}, body=body
        )

    def reader(self, client: HttpClient, seconds: float) -> Reader:
        """For the reads of one look."""
        return Reader.within(seconds, client, self.base_url, self.headers(None, {}))

    def address(self, address: Address, values: Values) -> tuple[str, dict[str, str]]:
        """Path and query; raises TemplateError when a value is missing."""
        return address.path.path(values), _texts(address.query, values)

    def headers(self, address: Address | None, values: Values) -> dict[str, str]:
        declared = _texts(self.service.headers, values)
        own = _texts(address.headers, values) if address else {}
        return {"Accept": "application/json", **declared, **own, **self.prove()}


def sought(request: EffectRequest | LookUpRequest) -> Sought:
    """Under which marker, and in which try, the job was or is sent."""
    return Sought(request.marker, request.failed_before)


def ordered(payload: Mapping[str, Any], whose: Sought) -> dict[str, Any]:
    """What templates may use of an order."""
    values: dict[str, Any] = {"payload": payload, "planted": whose.planted}
    model = payload.get("model")
    if isinstance(model, str) and model:
        parts = model.split("/")
        values["model"] = Segments(parts)
        values["app"] = Segments(parts[:_APP_PARTS])
    return values


def _texts(templates: Mapping[str, Text], values: Values) -> dict[str, str]:
    texts = ((name, template.text(values)) for name, template in templates.items())
    return {name: text for name, text in texts if text is not None}
