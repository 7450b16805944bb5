"""From WordPress's JSON to a FoundObject, and whose it is."""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Mapping
from typing import Any

from once_delivery.targets.base import FoundObject
from once_delivery.targets.http_json.values import identifier, moment, plain_text
from once_delivery.targets.wordpress.parameters import Parameters

# what is asked for in lists; content is left out
LIST_FIELDS = "id,slug,status,title,date_gmt,modified_gmt,link,meta,once_marker,source_url"
# "-2" is WordPress's for a slug that is taken, "__trashed" for one in the trash
_SLUG = re.compile(r"(once-[a-z2-7]{26})(?:-\d{1,9})?(?:__trashed(?:-\d{1,9})?)?")
_SUFFIXES = range(2, 21)
# readers see these, some of them only later or after a log-in
PUBLIC = frozenset({"publish", "future", "private"})
_TEXTS = ("title", "content", "excerpt")
_FILE_FIELDS = {"title": "title", "alt": "alt_text", "caption": "caption"}


def found_object(parameters: Parameters, post: Mapping[str, Any], base_url: str) -> FoundObject:
    """A post or a file, of a list, of its own or of our plugin."""
    result_id = identifier(post.get("id"))
    status = plain_text(post.get("status"))
    source = post.get("source_url")
    return FoundObject(
        result_id=result_id,
        marker=marker_of(parameters, post),
        # a draft has no public address; a file's is what a draft needs of it
        url=source
        if isinstance(source, str) and source
        else f"{base_url}{parameters.admin_path}/post.php?post={result_id}&action=edit",
        status=status,
        title=title_of(post),
        created_at=moment(post.get("date_gmt")),
        updated_at=moment(post.get("modified_gmt")),
        content_hash=_content_hash(post),
        trashed=status == "trash",
        version=_version(parameters, post),
    )


def content_of(fields: Mapping[str, str], post: Mapping[str, Any]) -> dict[str, str]:
    """What a person reads in a post, by the names of our payload."""
    meta = post.get("meta")
    found = {}
    for ours, theirs in fields.items():
        value = post.get(theirs)
        if theirs.startswith("meta."):
            value = meta.get(theirs.removeprefix("meta.")) if isinstance(meta, Mapping) else None
        text = _text(value) if isinstance(value, Mapping) else value
        if theirs == "title" and isinstance(text, str):
            text = html.unescape(text)
        if isinstance(text, str | int) and not isinstance(text, bool):
            found[ours] = str(text)
    return found


def file_content_of(media: Mapping[str, Any]) -> dict[str, str]:
    """The same for a file."""
    return content_of(_FILE_FIELDS, media)


def marker_of(parameters: Parameters, post: Mapping[str, Any]) -> str | None:
    """The plugin's word, else the registered field's, else what the slug says."""
    meta = post.get("meta")
    told = [post.get("once_marker")]
    if isinstance(meta, Mapping) and parameters.marker_meta is not None:
        told.append(meta.get(parameters.marker_meta))
    for one in told:
        if isinstance(one, str) and one:
            return one[:300]
    slug = post.get("slug")
    match = _SLUG.fullmatch(slug) if isinstance(slug, str) else None
    return match.group(1) if match else None


def slugs_of(marker: str) -> str:
    """Every slug under which WordPress may have put what was to have this one; the list is short enough for one query."""
    live = [marker, *(f"{marker}-{number}" for number in _SUFFIXES)]
    return ",".join([*live, *(f"{one}__trashed" for one in live)])


def title_of(post: Mapping[str, Any]) -> str:
    """As it was written where the account may see that, else as it is shown."""
    title = post.get("title")
    if not isinstance(title, Mapping):
        return ""
    return html.unescape(plain_text(title.get("raw")) or plain_text(title.get("rendered")))


def alike(one: str, other: str) -> bool:
    """Whether two titles are the same to a reader: WordPress changes quotes, dashes and spaces when it shows them."""
    return bool(_letters(one)) and _letters(one) == _letters(other)


def _letters(text: str) -> str:
    return "".join(sign for sign in html.unescape(text).casefold() if sign.isalnum())


def _text(part: Mapping[str, Any]) -> Any:
    """As it is stored where the account may see that, else as it is shown."""
    return part.get("raw", part.get("rendered"))


def _content_hash(post: Mapping[str, Any]) -> str:
    """Of what the site made of our content: contributors' HTML comes back other than it was sent."""
    shown = {name: _text(post[name]) for name in _TEXTS if isinstance(post.get(name), Mapping)}
    return _hash(shown) if "content" in shown else ""


def _version(parameters: Parameters, post: Mapping[str, Any]) -> str:
    """The plugin's word; else of all that an editor can see, since WordPress's own date counts whole seconds.

    Nothing where the content is not shown: a list tells no version.
    """
    if parameters.plugin:
        return plain_text(post.get("once_version"))
    if not isinstance(post.get("content"), Mapping):
        return ""
    told = {name: post.get(name) for name in ("modified_gmt", "status", "slug")}
    return _hash(told | {name: _text(post[name]) for name in _TEXTS if isinstance(post.get(name), Mapping)})


def _hash(told: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(told, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
