"""Reads of one look, one inventory or one connection test at one site, as one account."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jsonpointer import JsonPointer

from once_delivery.common.digits import whole_number
from once_delivery.common.http import HttpResult
from once_delivery.targets.base import FoundObject, Kind
from once_delivery.targets.http_json.paging import CutError, Paging
from once_delivery.targets.http_json.reader import Reader
from once_delivery.targets.http_json.reading import document_of, fine
from once_delivery.targets.http_json.values import identifier, plain_text
from once_delivery.targets.wordpress.objects import LIST_FIELDS, found_object
from once_delivery.targets.wordpress.parameters import Parameters

PAGE = 100  # WordPress's most
_LIST = JsonPointer("")
# X-WP-Total counts what the account may not see too: fewer than that were shown means that something is hidden
_PAGING = Paging(
    style="page", param="page", size_param="per_page", size=PAGE, pages_header="x-wp-totalpages",
    total_header="x-wp-total", max_pages=100_000,
)  # fmt: skip
# "any" leaves the trash out
_STATUSES = {Kind.CREATE_DRAFT: "any,trash", Kind.UPLOAD_FILE: "inherit,private,trash"}
_CAPABILITY = {Kind.CREATE_DRAFT: "edit_posts", Kind.UPLOAD_FILE: "upload_files"}
_EVERYBODYS = "edit_others_posts"
# by ascending number, from an offset on
_WALK = Paging(
    style="offset", param="offset", first=0, size_param="per_page", size=PAGE, total_header="x-wp-total",
    max_pages=100_000,
)  # fmt: skip
_NOT_THERE, _FORBIDDEN = 404, 403
_NO_SUCH_POST, _NOT_FOR_EDITING = "rest_post_invalid_id", "rest_forbidden_context"


@dataclass(frozen=True, slots=True)
class Site:
    """What the site shows to one account; every method raises CutError for what proves nothing."""

    parameters: Parameters
    base_url: str
    reader: Reader
    kind: Kind

    @property
    def base(self) -> str:
        """The part of the API's addresses that names the type of content."""
        return "media" if self.kind == Kind.UPLOAD_FILE else self.parameters.post_type

    def document(self, route: str, query: Mapping[str, str] | None = None) -> Mapping[str, Any]:
        """One JSON object."""
        path, fixed = self.parameters.address(route)
        return _mapping(self.reader.document(path, {**fixed, **(query or {})}))

    def account(self) -> Mapping[str, Any]:
        """Who we are. WordPress treats a wrong application password as no account at all and answers lists with 200."""
        account = self.document("/wp/v2/users/me", {"context": "edit"})
        if not identifier(account.get("id")):
            raise CutError("unreadable-item", detail="users/me")
        return account

    def able_account(self) -> str:
        """Our ID; raises CutError when the account could not see its own drafts or files."""
        return str(self._able()["id"])

    def shown_to_us(self) -> dict[str, str]:
        """The query of all that the account is shown: an editor sees everybody's, others their own. Raises CutError likewise."""
        account = self._able()
        return {} if may(account, _EVERYBODYS) else {"author": str(account["id"])}

    def _able(self) -> Mapping[str, Any]:
        account = self.account()
        needed = _CAPABILITY[self.kind]
        if not may(account, needed):
            raise CutError("forbidden", detail=needed)
        return account

    def all(self, **query: str) -> Iterator[Mapping[str, Any]]:
        """Every object of a query, in every status."""
        path, fixed = self.parameters.address(f"/wp/v2/{self.base}")
        asked = {**fixed, "status": _STATUSES[self.kind], "_fields": LIST_FIELDS, **query}
        items = self.reader.items(path, asked, pointer=_LIST, paging=_PAGING, identify=_id_of)
        return (_mapping(item) for item in items)

    def by_number(self, skipped: int, **query: str) -> Iterator[Mapping[str, Any]]:
        """Every object of a query by ascending ID, without the first ``skipped``."""
        path, fixed = self.parameters.address(f"/wp/v2/{self.base}")
        asked = {**fixed, "status": _STATUSES[self.kind], "_fields": LIST_FIELDS, **query}
        items = self.reader.items(
            path,
            {**asked, "orderby": "id", "order": "asc"},
            pointer=_LIST,
            paging=replace(_WALK, skipped=skipped),
            identify=_id_of,
        )
        return (_mapping(item) for item in items)

    def one(self, result_id: str) -> Mapping[str, Any] | None:
        """One object with all that this account may see of it; None when there is none of this ID and type."""
        if not (result_id.isascii() and result_id.isdecimal()):
            raise CutError("bad-id", detail=result_id[:40])
        path, fixed = self.parameters.address(f"/wp/v2/{self.base}/{result_id}")
        result = self.reader.result(path, {**fixed, "context": "edit"})
        if result.status == _FORBIDDEN and _code_of(result) == _NOT_FOR_EDITING:
            result = self.reader.result(path, fixed)  # published: we may read it, and not edit it
        if result.status == _NOT_THERE and _code_of(result) == _NO_SUCH_POST:
            return None
        return _mapping(document_of(fine(result)))

    def newest(self, **query: str) -> Iterator[Mapping[str, Any]]:
        """The newest objects of a query, page by page, ``recent`` at least; raises CutError when one of them is hidden."""
        path, fixed = self.parameters.address(f"/wp/v2/{self.base}")
        asked = {
            **fixed, "status": _STATUSES[self.kind], "_fields": LIST_FIELDS, **query,
            "orderby": "id", "order": "desc", "per_page": str(PAGE),
        }  # fmt: skip
        for start in range(0, self.parameters.recent, PAGE):
            result = fine(self.reader.result(path, {**asked, "page": str(start // PAGE + 1)}))
            items, total = document_of(result), whole_number(result.headers.get("x-wp-total", ""))
            if not isinstance(items, list) or total is None:
                raise CutError("unreadable-page", http_status=result.status)
            if len(items) < min(PAGE, total - start):
                raise CutError("total-mismatch", detail=f"{len(items)} of {total}")
            for item in items:
                if not _id_of(item):
                    raise CutError("unreadable-item", http_status=result.status)
                yield item
            if start + PAGE >= total:
                return

    def marked(self, marker: str) -> list[FoundObject]:
        """What our plugin says of one marker: the whole truth, whoever asks."""
        said = self.document(f"/once/v1/markers/{marker}")
        objects = said.get("objects")
        if said.get("marker") != marker or not isinstance(objects, list):
            raise CutError("unreadable-page", detail="once/v1/markers")
        found = [self.found(_mapping(one)) for one in objects]
        if any(one.marker != marker or not one.result_id for one in found):
            raise CutError("unreadable-item", detail="once/v1/markers")
        return found

    def all_marked(self, after: Any = 0) -> Iterator[FoundObject]:
        """Everything of this kind that carries a marker and has a greater ID than ``after``, by our plugin."""
        while after is not None:
            said = self.document("/once/v1/markers", {"type": self.base, "after": str(after)})
            objects, following = said.get("objects"), said.get("next")
            if not isinstance(objects, list) or not (following is None or _is_more(following, after)):
                raise CutError("unreadable-page", detail="once/v1/markers")
            for one in objects:
                if not _id_of(one):
                    raise CutError("unreadable-item", detail="once/v1/markers")
                yield self.found(one)
            after = following

    def found(self, post: Mapping[str, Any]) -> FoundObject:
        """One object of any of these answers."""
        return found_object(self.parameters, post, self.base_url)


def may(account: Mapping[str, Any], capability: str) -> bool:
    """Whether the account says that it may."""
    capabilities = account.get("capabilities")
    return isinstance(capabilities, Mapping) and capabilities.get(capability) is True


def _code_of(result: HttpResult) -> str:
    """WordPress's own word for what went wrong; raises CutError for a page of somebody else's."""
    document = document_of(result)
    return plain_text(document.get("code")) if isinstance(document, Mapping) and not result.cut else ""


def _is_more(following: Any, after: int) -> bool:
    return isinstance(following, int) and following > after


def _id_of(item: Any) -> str:
    return identifier(item.get("id")) if isinstance(item, Mapping) else ""


def _mapping(document: Any) -> Mapping[str, Any]:
    if not isinstance(document, Mapping):
        raise CutError("unreadable-page")
    return document
