"""A draft beside its brief and beside what it was before, ready to be shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from once_delivery.common.canonical import fingerprint
from once_delivery.ledger.models import InputVersion, Task
from once_delivery.review.models import Draft, Review, Verdict
from once_delivery.review.reading import harmless, images_of, is_markup, plain
from once_delivery.review.services.fetch_image import base_of
from once_delivery.ui.differences import Difference, differences
from once_delivery.web.selectors.image_claims import image_claim
from once_delivery.web.wording import Words

_DEEPEST = 3


@dataclass(frozen=True, slots=True)
class Shown:
    """One field of a draft: harmless HTML, or words."""

    name: str
    html: SafeString | None
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The draft against an earlier text. ``what`` says against which."""

    what: Words
    at: datetime
    fields: list[Difference]
    images_before: list[str]

    @property
    def added(self) -> int:
        return sum(field.added for field in self.fields)

    @property
    def removed(self) -> int:
        return sum(field.removed for field in self.fields)

    @property
    def changed(self) -> bool:
        return any(field.changed for field in self.fields)


@dataclass(frozen=True, slots=True)
class Brief:
    """The brief of a version; against the version before, when there is one."""

    version: InputVersion
    previous: InputVersion | None
    fields: list[Difference]

    @property
    def forgotten(self) -> bool:
        """It had a content, and has none any more."""
        return not self.version.content and self.version.fingerprint != fingerprint({})

    @property
    def changes(self) -> int:
        return sum(field.changed for field in self.fields) if self.previous else 0


def shown_fields(draft: Draft, *, image_address: Callable[[str], str]) -> list[Shown]:
    """Every field of the draft, the title first; ``image_address`` takes a claim."""
    base = base_of(draft)

    def address(source: str) -> str:
        return image_address(image_claim(draft.pk, source))

    found = []
    for name, text in sorted(draft.content.items(), key=lambda item: (item[0] != "title", item[0] != "body")):
        html = None
        if is_markup(text):
            # nh3 has made it harmless: nothing that runs, loads from elsewhere or takes a class is left
            html = mark_safe(harmless(text, base=base, image_address=address))  # noqa: S308
        found.append(Shown(name, html, text))
    return found


def shown_images(draft: Draft, *, image_address: Callable[[str], str]) -> list[str]:
    """The addresses in this house of the draft's images."""
    return [
        image_address(image_claim(draft.pk, source))
        for source in images_of(draft.content, base=base_of(draft))
    ]


def compared(
    task: Task,
    draft: Draft,
    *,
    opened_hash: str = "",
    image_address: Callable[[str], str],
    this_task_alone: bool = False,
) -> Comparison | None:
    """Against the text that was open, that was decided about, that stood there before, or of the version before."""
    for what, before in _earlier(task, draft, opened_hash, this_task_alone=this_task_alone):
        # of what was forgotten only the hash is left
        if before is not None and before.content and before.content_hash != draft.content_hash:
            return Comparison(
                what=what,
                at=before.read_at,
                fields=differences(_plain(before.content), _plain(draft.content)),
                images_before=_images_gone(before, draft, image_address),
            )
    return None


def _images_gone(before: Draft, draft: Draft, image_address: Callable[[str], str]) -> list[str]:
    """The images of before, when they are others than now."""
    then, now = (images_of(one.content, base=base_of(one)) for one in (before, draft))
    return [image_address(image_claim(before.pk, source)) for source in then] if then != now else []


def brief_of(task: Task, *, this_task_alone: bool = False) -> Brief:
    """The brief and, of the version before it, what changed."""
    versions = InputVersion.objects.filter(product=task.product_id)
    version = versions.get(pk=task.input_version_id)
    earlier = None
    if not this_task_alone:
        earlier = versions.filter(number__lt=version.number).order_by("-number").first()
    if earlier is not None and not earlier.content:
        earlier = None  # forgotten: there is nothing to compare with
    before = lines_of(earlier.content) if earlier else lines_of(version.content)
    return Brief(version, earlier, differences(before, lines_of(version.content)))


def lines_of(content: Any) -> dict[str, str]:
    """A brief is any JSON: its first floor by name, what lies deeper as lines."""
    if not isinstance(content, dict):
        return {"": _lines(content)}
    return {str(name): _lines(value) for name, value in content.items()}


def _lines(value: Any, depth: int = 1) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and depth < _DEEPEST:
        return "\n".join(f"· {_lines(one, depth + 1)}" for one in value)
    if isinstance(value, dict) and depth < _DEEPEST:
        return "\n".join(f"{name}: {_lines(one, depth + 1)}" for name, one in value.items())
    return json.dumps(value, ensure_ascii=False)


def _plain(content: dict[str, str]) -> dict[str, str]:
    return {name: plain(text) for name, text in content.items()}


def _earlier(
    task: Task, draft: Draft, opened_hash: str, *, this_task_alone: bool
) -> Iterable[tuple[Words, Draft | None]]:
    drafts = Draft.objects.filter(action=draft.action_id).select_related("action__target")
    if opened_hash:
        yield _("the draft that you had opened"), drafts.filter(content_hash=opened_hash).first()
    decided = (
        Review.objects.filter(task=task, draft__action=draft.action_id)
        .exclude(verdict=Verdict.WITHDRAWN)
        .select_related("draft__action__target")
        .order_by("-at", "-pk")
        .first()
    )
    yield _("the draft that was decided about last"), decided.draft if decided else None
    earlier = drafts.filter(first_read_at__lt=draft.first_read_at).order_by("-read_at", "-pk")
    yield _("what stood there before"), earlier.exclude(pk=draft.pk).first()
    if not this_task_alone:
        yield _("the previous version's draft"), _previous_version(task)


def _previous_version(task: Task) -> Draft | None:
    same = Q(
        action__task__product=task.product_id,
        action__task__locale=task.locale,
        action__task__purpose=task.purpose,
        action__task__input_version__number__lt=task.input_version.number,
    )
    return (
        Draft.objects.filter(same)
        .select_related("action__target")
        .order_by("-action__task__input_version__number", "-read_at")
        .first()
    )
