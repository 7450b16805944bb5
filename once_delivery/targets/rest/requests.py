"""From templates and values to requests: the same values always give the same bytes."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from jsonpointer import JsonPointer, JsonPointerException
from urllib3.filepost import encode_multipart_formdata

from once_delivery.common.http import HttpRequest
from once_delivery.targets.base import EffectRequest, FileBytes, Original
from once_delivery.targets.http_json.auth import Auth
from once_delivery.targets.http_json.template import TemplateError, Text, Values, fill_tree
from once_delivery.targets.rest.spec import Address, Declaration, Effect, Query, Remove


@dataclass(frozen=True, slots=True)
class Requests:
    """Builds the requests of one API."""

    base_url: str
    declaration: Declaration
    auth: Auth = field(default_factory=Auth)

    def create(self, create: Effect, request: EffectRequest) -> HttpRequest:
        """The request with an effect; raises TemplateError when its payload lacks something.

        A replay must be the same to the byte, so field order, boundary and number format depend on nothing else.
        """
        file = _file(request)
        values = {
            "marker": request.marker,
            "client_id": request.client_id,
            "idempotency_key": request.idempotency_key,
            "payload": request.payload,
            "file": _FileValues(file),
        }
        header = self.declaration.idempotency_header
        own = {header: request.idempotency_key} if header else {}
        return self._effect(create, values, file, own, request.deadline_s)

    def update(self, update: Effect, request: EffectRequest, original: Original) -> HttpRequest:
        """The request that takes ``original`` to the new content; raises TemplateError as :meth:`create` does."""
        values: dict[str, Any] = {
            "marker": original.marker,
            "result_id": original.result_id,
            "version": original.version,
            "payload": request.payload,
        }
        if original.version.isascii() and original.version.isdecimal():
            values["version_number"] = int(original.version)
        return self._effect(update, values, None, {}, request.deadline_s)

    def remove(self, remove: Remove, result_id: str, deadline_s: float) -> HttpRequest:
        """The request that deletes one object; raises TemplateError for an ID that fits no address."""
        values = {"result_id": result_id}
        body = b"" if remove.body is None else _json_bytes(fill_tree(remove.body, values))
        own = {"Content-Type": "application/json"} if body else {}
        return HttpRequest(
            method=remove.method,
            url=self._url(remove.address, values),
            deadline_s=deadline_s,
            headers=self._headers(remove.address, values, own),
            body=body,
            body_cap=self.declaration.body_cap,
        )

    def _effect(
        self,
        effect: Effect,
        values: Values,
        file: FileBytes | None,
        own: Mapping[str, str],
        deadline_s: float,
    ) -> HttpRequest:
        body, content_type = _body(effect, values, file)
        return HttpRequest(
            method=effect.method,
            url=self._url(effect.address, values),
            deadline_s=deadline_s,
            headers=self._headers(effect.address, values, {"Content-Type": content_type, **own}),
            body=body,
            body_cap=self.declaration.body_cap,
        )

    def read(
        self, query: Query, values: Values, *, deadline_s: float, params: Mapping[str, str] | None = None
    ) -> HttpRequest:
        """A request that only reads; ``params`` are added to the declared query, or to its body by pointer."""
        given = dict(params or {})
        in_body = {name: given.pop(name) for name in list(given) if name.startswith("/")}
        url = self._url(query.address, values, given)
        if query.method == "GET":
            return self._get(url, self._headers(query.address, values, {}), deadline_s)
        document = fill_tree(query.body, values)
        for pointer, value in in_body.items():
            try:
                JsonPointer(pointer).set(document, value)
            except (JsonPointerException, TypeError, KeyError, IndexError):
                raise TemplateError("template-missing", pointer) from None
        headers = self._headers(query.address, values, {"Content-Type": "application/json"})
        return HttpRequest(
            query.method, url, deadline_s, headers, _json_bytes(document), self.declaration.body_cap
        )

    def read_at(self, url: str, address: Address, values: Values, *, deadline_s: float) -> HttpRequest:
        """A GET of a page that the target named; the caller has checked that ``url`` is the target's."""
        return self._get(
            _with_query(
                url,
                [pair for pair in self.auth.query.items() if pair[0] not in parse_qs(urlsplit(url).query)],
            ),
            self._headers(address, values, {}),
            deadline_s,
        )

    def _get(self, url: str, headers: Mapping[str, str], deadline_s: float) -> HttpRequest:
        return HttpRequest("GET", url, deadline_s, headers, body_cap=self.declaration.body_cap)

    def _headers(self, address: Address, values: Values, own: Mapping[str, str]) -> dict[str, str]:
        headers: dict[str, tuple[str, str]] = {"accept": ("Accept", "application/json")}
        declared = [*self.declaration.headers.items(), *address.headers.items()]
        texts = [(name, template.text(values)) for name, template in declared]
        # the later wins: what is declared may refine Content-Type, never replace the credentials
        for name, text in [*own.items(), *texts, *self.auth.headers.items()]:
            if text is not None:
                headers[name.lower()] = (name, text)
        return dict(headers.values())

    def _url(self, address: Address, values: Values, params: Mapping[str, str] | None = None) -> str:
        query = _texts(address.query, values) | dict(params or {}) | dict(self.auth.query)
        return _with_query(self.base_url + address.path.path(values), list(query.items()))


class _FileValues(Mapping[str, Any]):
    """``{{file.…}}``; base64 is made only where it is asked for."""

    _NAMES = ("name", "media_type", "sha256", "size", "base64")

    def __init__(self, file: FileBytes | None) -> None:
        self._file = file

    def __getitem__(self, name: str) -> Any:
        if self._file is None or name not in self._NAMES:
            raise KeyError(name)
        if name == "base64":
            return base64.b64encode(self._file.data).decode("ascii")
        return len(self._file.data) if name == "size" else getattr(self._file, name)

    def __iter__(self) -> Any:
        return iter(self._NAMES)

    def __len__(self) -> int:
        return len(self._NAMES)


def _file(request: EffectRequest) -> FileBytes | None:
    """The file that ``payload.file.sha256`` names."""
    named = request.payload.get("file")
    sha256 = named.get("sha256") if isinstance(named, Mapping) else None
    if isinstance(sha256, str):
        return request.files.get(sha256)
    return None


def _body(create: Effect, values: Values, file: FileBytes | None) -> tuple[bytes, str]:
    if create.encoding == "json":
        return _json_bytes(fill_tree(create.body, values)), "application/json"
    if file is None:
        raise TemplateError("template-missing", "file")
    if create.encoding == "raw":
        return file.data, file.media_type or "application/octet-stream"
    fields: list[tuple[str, Any]] = list(_texts(create.body, values).items())
    # fields before the file: servers that stream need the ID before the bytes
    fields.append((create.file_field, (file.name, file.data, file.media_type or "application/octet-stream")))
    mark = hashlib.sha256(f"{values['marker']} {file.sha256}".encode()).hexdigest()[:40]
    return encode_multipart_formdata(fields, boundary=f"once-{mark}")


def _json_bytes(document: Any) -> bytes:
    try:
        text = json.dumps(
            document, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
        )
        return text.encode()
    except (ValueError, TypeError):
        raise TemplateError("template-missing", "a number or character that JSON cannot say") from None


def _texts(templates: Mapping[str, Text], values: Values) -> dict[str, str]:
    texts = ((name, template.text(values)) for name, template in templates.items())
    return {name: text for name, text in texts if text is not None}


def _with_query(url: str, pairs: list[tuple[str, str]]) -> str:
    query = "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in pairs)
    return f"{url}{'&' if '?' in url else '?'}{query}" if query else url
