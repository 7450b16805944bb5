"""The services' files, their profiles, and the small readers: what stands in them fits, and says what it rests on."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from once_delivery.sandbox.generation.doors import DOORS
from once_delivery.targets.http_json.template import Segments, TemplateError, parse_path
from once_delivery.targets.jobs.declaration import Price, price_of, read_declaration
from once_delivery.targets.jobs.matching import Likeness, likeness
from once_delivery.targets.jobs.profiles import profile_of
from once_delivery.targets.jobs.services import names, service
from once_delivery.targets.jobs.tokens import signed_token
from once_delivery.targets.jobs.usage import addresses_in, decimal_text, signed_until
from once_delivery.targets.profile import Consistency, Guard, Profile

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", names())
def test_every_service_says_that_it_was_read_and_not_seen(name: str) -> None:
    evidence = service(name).evidence

    assert evidence["proven"] == "simulator"
    assert evidence["sources"]
    assert evidence["unverified"]
    datetime.fromisoformat(evidence["read_on"])


@pytest.mark.parametrize("name", names())
def test_every_service_stands_in_the_documentation_as_simulated(name: str) -> None:
    title = service(name).title.split(" (")[0]
    for page in ("targets.md", "targets.zh-CN.md"):
        (row,) = [
            line
            for line in (DOCS / page).read_text(encoding="utf-8").splitlines()
            if line.startswith("|")
            and title in line.split("|")[1]
            and ("*simulated*" in line or "*模拟*" in line)
        ]
        assert row


def test_every_service_has_its_simulator() -> None:
    assert sorted(DOORS) == list(names())


@pytest.mark.parametrize("name", names())
def test_every_profile_fits_and_gives_its_reasons(name: str) -> None:
    default = profile_of(name)
    profile = Profile.from_json(default.numbers)

    assert sorted(default.why) == sorted(default.numbers)
    # only where a job can be asked for is it ever taken for absent
    assert profile.guard == (Guard.LOOKUP if service(name).list else Guard.NONE)


def test_where_a_call_is_waited_for_absence_is_never_proven() -> None:
    profile = Profile.from_json(profile_of("fal", called=True).numbers)

    assert (profile.guard, profile.consistency) == (Guard.LOOKUP, Consistency.UNKNOWN)
    assert profile.patience_s >= 7200


def test_no_service_protects_by_our_own_id_alone() -> None:
    """Nothing is documented about a second order under one ID, so that none is sent blindly."""
    assert all(Profile.from_json(profile_of(name).numbers).guard != Guard.CLIENT_ID for name in names())


def test_a_price_is_for_whoever_decides() -> None:
    declared = {"service": "fal", "price": {"amount": "0.28", "currency": "USD", "source": "list"}}

    assert price_of(declared) == read_declaration(declared).price == Price("0.28", "USD", "list")
    assert price_of({"service": "fal"}) is None


def test_a_token_is_signed_and_short_lived() -> None:
    head, claims, signature = signed_token("ak", "sk", now=1_000_000.7).split(".")

    expected = hmac.new(b"sk", f"{head}.{claims}".encode(), hashlib.sha256).digest()
    assert _decoded(signature) == expected
    assert json.loads(_decoded(head)) == {"alg": "HS256", "typ": "JWT"}
    assert json.loads(_decoded(claims)) == {"iss": "ak", "exp": 1_001_800, "nbf": 999_995}


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2, "2"), (0.1, "0.1"), ("12.50", "12.50"), (1e-7, "0.0000001"), (" 3 ", "3"), (0, "0"),
        (True, None), (None, None), ("", None), ("two", None), (-1, None), (float("nan"), None),
        (float("inf"), None), ("1e400", None), ([1], None), ({}, None),
    ],
)  # fmt: skip
def test_numbers_become_decimal_texts(value: Any, text: str | None) -> None:
    assert decimal_text(value) == text


@pytest.mark.parametrize(
    ("output", "addresses"),
    [
        ("https://a.example/1", ("https://a.example/1",)),
        (["https://a.example/1", "https://a.example/1"], ("https://a.example/1",)),
        ({"videos": [{"url": "https://a.example/1", "id": "x"}]}, ("https://a.example/1",)),
        ("see https://a.example/1", ()),
        ("javascript:alert(1)", ()),
        ("http://[", ()),
        (None, ()),
        (7, ()),
    ],
)
def test_outputs_are_web_addresses(output: Any, addresses: tuple[str, ...]) -> None:
    assert addresses_in(output) == addresses


def test_a_deep_or_endless_output_ends() -> None:
    deep: Any = "https://a.example/1"
    for _ in range(50):
        deep = [deep]

    assert addresses_in(deep) == ()
    assert len(addresses_in([f"https://a.example/{n}" for n in range(500)])) == 100


@pytest.mark.parametrize(
    ("address", "until"),
    [
        ("https://a.example/1?Expires=1800000000&Signature=x", datetime(2027, 1, 15, 8, tzinfo=UTC)),
        ("https://a.example/1?X-Tos-Date=20261129T000000Z&X-Tos-Expires=86400", datetime(2026, 11, 30, tzinfo=UTC)),
        ("https://a.example/1?Expires=soon", None),
        ("https://a.example/1?Expires=253402300799", None),
        ("https://a.example/1?Expires=-99999999999", None),
        ("https://a.example/1?X-Amz-Date=99991231T000000Z&X-Amz-Expires=1", None),
        ("https://a.example/1?X-Amz-Expires=5", None),
        ("https://a.example/1", None),
    ],
)  # fmt: skip
def test_a_signed_address_says_when_it_goes(address: str, until: datetime | None) -> None:
    assert signed_until(address) == until


ITEM = {"version": "hash", "model": "m", "input": {"prompt": "a red  kettle "}}


@pytest.mark.parametrize(
    ("item", "order", "expected"),
    [
        (ITEM, {"model": "m", "prompt": "a red kettle"}, Likeness.SAME),
        (ITEM, {"model": "m", "prompt": "a Red kettle"}, Likeness.OTHER),
        (ITEM, {"model": "n", "prompt": "a red kettle"}, Likeness.OTHER),
        (ITEM, {"model": "m"}, Likeness.OTHER),
        ({"model": "m", "input": {}}, {"model": "m", "prompt": "a red kettle"}, Likeness.UNREADABLE),
        ({"model": "m"}, {"model": "m", "prompt": "a red kettle"}, Likeness.UNREADABLE),
    ],
)
def test_how_far_a_job_fits_an_order(item: Any, order: dict[str, str], expected: Likeness) -> None:
    listing = service("replicate").list
    assert listing is not None
    assert likeness(item, listing.match, order) is expected


def test_a_value_may_be_several_segments_of_a_path_and_never_leave_them() -> None:
    path = parse_path("/{{model}}/x", frozenset({"model"}))

    assert path.path({"model": Segments(["a", "b c?"])}) == "/a/b%20c%3F/x"
    for bad in (["a", ".."], ["a", ""], []):
        with pytest.raises(TemplateError):
            path.path({"model": Segments(bad)})
