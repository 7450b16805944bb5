"""The connection test of a Strapi site."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from once_delivery.common.http import HttpClient, HttpError, HttpRequest
from once_delivery.targets.base import CheckResult
from once_delivery.targets.http_json.paging import CutError
from once_delivery.targets.http_json.reading import document_of, fine
from once_delivery.targets.strapi.looks import hash_of
from once_delivery.targets.strapi.reads import Looker

DEADLINE_S = 20.0
PLUGIN_API = 1
# no document has this ID, nothing this marker: a real one has 26 signs behind "once-"
_NOBODYS = "once-check"
_NOBODYS_ID = "oncenobodysdocument"
_NO_API = frozenset({"html", "redirect", "unreadable-json", "empty-body", "unreadable-page"})
_RIGHTS = frozenset({"unauthorized", "forbidden"})
_BAD_REQUEST, _FORBIDDEN, _NO_METHOD = 400, 403, 405


@dataclass(frozen=True, slots=True)
class Checker:
    """Reads only, but for two writes that ask to publish and name nothing that could be: their refusal is the proof."""

    looker: Looker
    client: HttpClient
    headers: Mapping[str, str] = field(repr=False)

    def run(self) -> list[CheckResult]:
        connection = _attempt("connection", self._api)
        if not connection.ok:
            account = connection.code in _RIGHTS
            return [CheckResult("account", ok=False, code=connection.code) if account else connection]
        results = [
            CheckResult("connection", ok=True),
            CheckResult("account", ok=True),
            _attempt("fields", self._fields),
            _attempt("look_up:create_draft", lambda: _nothing(self.looker.marked(_NOBODYS))),
            _attempt("look_up:upload_file", self._files),
            _attempt("cannot-publish", self._cannot_publish),
        ]
        if self.looker.parameters.locales:
            results.append(_attempt("locales", self._locales))
        if self.looker.parameters.plugin:
            results.append(_attempt("plugin", self._plugin))
        return results

    def _api(self) -> None:
        """Is it Strapi 5, may we see the type, does it know drafts? One document shows the rest."""
        try:
            next(self.looker.documents(), None)
        except CutError as error:
            if error.code in _NO_API:
                raise CutError("no-api", detail=error.code) from None
            if error.code == "not-found":
                raise CutError("no-such-type", detail=self.looker.parameters.content_type) from None
            if error.http_status == _BAD_REQUEST:  # it does not know documentId
                raise CutError("not-strapi-5") from None
            raise
        if self._answers({f"filters[{_NOBODYS}][$eq]": _NOBODYS}):
            # Strapi 4 leaves out what it does not know, and publishes whatever is created
            raise CutError("not-strapi-5", detail="unknown filters are ignored")

    def _fields(self) -> None:
        """Strapi refuses to show what a type does not have."""
        parameters = self.looker.parameters
        missing = [
            name
            for name in dict.fromkeys([*parameters.fields.values(), parameters.marker_field])
            if not (self._shows("fields[0]", name) or self._shows("populate[0]", name))
        ]
        if missing:
            raise CutError("fields-not-writable", detail=", ".join(missing))

    def _shows(self, how: str, name: str) -> bool:
        return self._answers({"status": "draft", "pagination[limit]": "1", how: name})

    def _answers(self, query: Mapping[str, str]) -> bool:
        """Whether the site finds nothing wrong with what it is asked."""
        parameters = self.looker.parameters
        result = self.looker.reader.result(f"{parameters.api_path}/{parameters.content_type}", query)
        document = document_of(result if result.status == _BAD_REQUEST else fine(result))
        if not isinstance(document, Mapping):
            raise CutError("unreadable-page")
        return result.status != _BAD_REQUEST

    def _files(self) -> None:
        if next(self.looker.files(hash__startsWith=hash_of(_NOBODYS)), None) is not None:
            raise CutError("filter-ignored")

    def _locales(self) -> None:
        """Strapi stores drafts in languages that it does not have."""
        listed = self.looker.reader.document(f"{self.looker.parameters.api_path}/i18n/locales")
        there = {item.get("code") for item in _mappings(listed)}
        missing = sorted(set(self.looker.parameters.locales.values()) - there)
        if missing:
            raise CutError("no-such-locale", detail=", ".join(missing))

    def _cannot_publish(self) -> None:
        """A token cannot be told "drafts only": a policy of the site's, or our plugin, must refuse."""
        type_ = self.looker.parameters.content_type
        for method, path in (("POST", f"/{type_}"), ("PUT", f"/{type_}/{_NOBODYS_ID}")):
            for query in ("", "?status=published"):
                status = self._refusal(method, path + query)
                if status not in {_FORBIDDEN, _NO_METHOD}:
                    raise CutError("may-publish", detail=f"{method} {path}{query}: {status}")

    def _refusal(self, method: str, path: str) -> int:
        """What a request without any content is answered; Strapi asks for rights before it asks for content."""
        url = f"{self.looker.base_url}{self.looker.parameters.api_path}{path}"
        headers = {**self.headers, "Content-Type": "application/json"}
        try:
            return self.client.send(HttpRequest(method, url, DEADLINE_S, headers, body=b"{}")).status
        except HttpError as error:
            raise CutError(error.code, detail=error.detail) from None

    def _plugin(self) -> None:
        parameters = self.looker.parameters
        try:
            said = self.looker.reader.document(f"{parameters.api_path}/once/status")
        except CutError as error:
            raise CutError("plugin-missing" if error.code == "not-found" else error.code) from None
        if not isinstance(said, Mapping) or not isinstance(said.get("api"), int) or said["api"] < PLUGIN_API:
            raise CutError("plugin-too-old")
        types = said.get("types")
        ours = types.get(parameters.content_type) if isinstance(types, Mapping) else None
        for what, state in ((parameters.content_type, ours), ("files", said.get("files"))):
            if not isinstance(state, Mapping) or state.get("ready") is not True:
                fault = state.get("fault") if isinstance(state, Mapping) else "not-configured"
                raise CutError("plugin-not-ready", detail=f"{what}: {fault}")
        if ours is not None and ours.get("marker") != parameters.marker_field:
            raise CutError("marker-unreadable", detail=f"marker_field: {ours.get('marker')}")


def _attempt(name: str, read: Callable[[], None]) -> CheckResult:
    try:
        read()
    except CutError as error:
        return CheckResult(name, ok=False, code=error.code, detail=error.detail)
    return CheckResult(name, ok=True)


def _nothing(found: list[Any]) -> None:
    if found:
        raise CutError("filter-ignored")


def _mappings(listed: Any) -> list[Mapping[str, Any]]:
    if not isinstance(listed, list):
        raise CutError("unreadable-page", detail="i18n/locales")
    return [item for item in listed if isinstance(item, Mapping)]
