"""What a space is like: how well it protects its callers and how well it can be asked."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from once_delivery.sandbox.errors import ApiError

_CHOICES: dict[str, tuple[str | None, ...]] = {
    "lookup": ("marker", "none"),
    "look_up_body": (None, "html", "empty_first_page_with_next"),
    "job_outcome": ("succeeded", "failed"),
}
_MOST: dict[str, float] = {
    "page_size_max": 1000,
    "callback_times": 20,
    "look_up_status": 599,
    "job_seconds": 86_400,
}
_LONGEST = 200
_LEAST: dict[str, float] = {"page_size_max": 1, "look_up_status": 200}


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of a space with its default; README.md says what each one does."""

    unique_marker: bool = False
    conflict_names_id: bool = True
    client_ids: bool = False
    idempotency: bool = False
    idempotency_window_s: float = 86_400.0
    lookup: Literal["marker", "none"] = "marker"
    visibility_lag_s: float = 0.0
    lag_by_id: bool = False
    echo_marker: bool = True
    may_publish: bool = False
    may_delete: bool = True
    page_size_max: int = 100
    look_up_status: int | None = None
    look_up_body: Literal["html", "empty_first_page_with_next"] | None = None
    job_seconds: float = 1.0
    job_outcome: Literal["succeeded", "failed"] = "succeeded"
    job_cost: str = "0.0400"
    job_currency: str = "USD"
    callback_times: int = 1
    callback_secret: str = ""
    # lies: what an honest target would not do
    makes_second: bool = False
    ignores_if_match: bool = False
    publishes_drafts: bool = False

    @property
    def keeps_markers_unique(self) -> bool:
        """Whether the promise of ``unique_marker`` is kept."""
        return self.unique_marker and not self.makes_second

    def as_json(self) -> dict[str, Any]:
        """A plain dictionary."""
        return asdict(self)


_DEFAULTS = Settings().as_json()
_TYPES = {field.name: str(field.type) for field in fields(Settings)}


def parse_settings(given: dict[str, Any]) -> Settings:
    """Settings with the defaults for what is not given. Raises ApiError 422 naming the field."""
    for name, value in given.items():
        if name not in _DEFAULTS:
            raise ApiError(422, "unknown_setting", f"there is no setting {name!r}", field=name)
        if not _fits(name, value):
            raise ApiError(422, "bad_setting", f"{value!r} is not a value for {name!r}", field=name)
    return Settings(**given)


def _fits(name: str, value: Any) -> bool:
    if name in _CHOICES:
        return value in _CHOICES[name]
    kind = _TYPES[name]
    if kind == "bool" or isinstance(value, bool):
        return kind == "bool" and isinstance(value, bool)
    if kind == "str":
        return isinstance(value, str) and len(value) <= _LONGEST
    if value is None:
        return "None" in kind
    number = isinstance(value, int) if kind.startswith("int") else isinstance(value, (int, float))
    return number and _LEAST.get(name, 0) <= value <= _MOST.get(name, 1e9)
