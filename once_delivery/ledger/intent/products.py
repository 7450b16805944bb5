"""Products and input versions: made when new, refused when an approved version would change (R9)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext_noop

from once_delivery.accounts.models import Project, User
from once_delivery.common.canonical import fingerprint
from once_delivery.common.errors import Problem
from once_delivery.common.moments import meant
from once_delivery.ledger.intent.canonical import Wanted
from once_delivery.ledger.models import InputVersion, Product

VersionKey = tuple[str, int]  # product, number


_MAKE = """
INSERT INTO ledger_product (project_id, code, name)
SELECT %(project)s, given.code, given.name
FROM unnest(%(codes)s::text[], %(names)s::text[]) WITH ORDINALITY AS given (code, name, place)
WHERE NOT EXISTS (SELECT FROM ledger_product had WHERE had.project_id = %(project)s AND had.code = given.code)
ORDER BY given.place
ON CONFLICT (project_id, code) DO NOTHING
RETURNING code, id
"""


@dataclass(frozen=True, slots=True)
class Found:
    """All input versions of a batch's products, and those of them that were made for it."""

    versions: Mapping[VersionKey, InputVersion]
    products_new: int
    new: frozenset[VersionKey]

    def products_with_several_versions(self) -> set[int]:
        """Only a task of these can be older or newer than another."""
        counted = Counter(version.product_id for version in self.versions.values())
        return {product_id for product_id, versions in counted.items() if versions > 1}


def ensure(*, project: Project, wanted: list[Wanted], user: User | None, problems: list[Problem]) -> Found:
    """Find or make every product and input version; problems are added, and then the result is not to be used."""
    names = {one.key[0]: one.request.product_name for one in reversed(wanted)}
    products = _make(project, names)
    products_new = len(products)
    versions: dict[VersionKey, InputVersion] = {}
    if len(products) < len(names):
        had = _hold(project, names.keys() - products.keys())
        products |= had
        versions = _versions_of(had)
    new = _new_versions(wanted, versions, products, user, problems)
    if not problems and new:
        _save(list(new.values()), versions.values())
        versions |= new
    return Found(versions=versions, products_new=products_new, new=frozenset(new))


def _make(project: Project, names: Mapping[str, str]) -> dict[str, Product]:
    """Those that nobody has made. In one order everywhere, so that two requests at once wait in one direction only."""
    codes = sorted(names)
    called = [names[code] or code for code in codes]
    with connection.cursor() as cursor:
        cursor.execute(_MAKE, {"project": project.pk, "codes": codes, "names": called})
        made = dict(cursor.fetchall())
    return {
        code: Product(pk=made[code], project=project, code=code, name=name)
        for code, name in zip(codes, called, strict=True)
        if code in made
    }


def _hold(project: Project, codes: Iterable[str]) -> dict[str, Product]:
    """Held to the end, as what was just made is: the same asked for twice at once is made by one and found by the other."""
    rows = Product.objects.select_for_update(no_key=True).filter(project=project, code__in=list(codes))
    return {row.code: row for row in rows.order_by("code")}


def _versions_of(products: Mapping[str, Product]) -> dict[VersionKey, InputVersion]:
    codes = {product.pk: code for code, product in products.items()}
    rows = InputVersion.objects.filter(product__in=list(codes)).only("product_id", "number", "fingerprint")
    return {(codes[row.product_id], row.number): row for row in rows}


def _new_versions(
    wanted: list[Wanted],
    versions: Mapping[VersionKey, InputVersion],
    products: Mapping[str, Product],
    user: User | None,
    problems: list[Problem],
) -> dict[VersionKey, InputVersion]:
    new: dict[VersionKey, InputVersion] = {}
    for one in wanted:
        key = (one.key[0], one.key[3])
        brief = one.request.brief
        known = versions.get(key) or new.get(key)
        if brief is None:
            if known is None:
                problems.append(
                    Problem(
                        code="unknown-input-version",
                        template=gettext_noop(
                            "Input version %(number)s of %(product)s does not exist and no brief is given."
                        ),
                        params={"product": key[0], "number": key[1]},
                        row=one.request.row,
                    )
                )
            continue
        print_of_brief = fingerprint(dict(brief))
        if known is None:
            new[key] = _version(one, products[key[0]], dict(brief), print_of_brief, user)
        elif known.fingerprint != print_of_brief:
            problems.append(_changed(one, known, print_of_brief, versions))
    return new


def _version(
    one: Wanted, product: Product, brief: dict[str, Any], print_of_brief: str, user: User | None
) -> InputVersion:
    return InputVersion(
        project_id=product.project_id,
        product=product,
        number=one.key[3],
        content=brief,
        fingerprint=print_of_brief,
        approved_by=one.request.approved_by or (user.username if user else ""),
        approved_at=meant(one.request.approved_at) or timezone.now(),
        created_by=user,
    )


def _save(new: list[InputVersion], known: Iterable[InputVersion]) -> None:
    """In order of their numbers, so that each can name the one that it supersedes: the first of every product at once."""
    kept: dict[int, list[InputVersion]] = defaultdict(list)
    for version in known:
        kept[version.product_id].append(version)
    waiting: dict[int, list[InputVersion]] = defaultdict(list)
    for version in sorted(new, key=lambda row: row.number):
        waiting[version.product_id].append(version)
    for layer in zip_longest(*waiting.values()):
        rows = [version for version in layer if version is not None]
        for version in rows:
            before = [one for one in kept[version.product_id] if one.number < version.number]
            version.supersedes = max(before, key=lambda one: one.number, default=None)
        InputVersion.objects.bulk_create(rows, batch_size=2000)
        for version in rows:
            kept[version.product_id].append(version)


def _changed(
    one: Wanted, known: InputVersion, print_of_brief: str, versions: Mapping[VersionKey, InputVersion]
) -> Problem:
    product = one.key[0]
    following = max(number for code, number in [*versions, (product, known.number)] if code == product) + 1
    return Problem(
        code="input-version-changed",
        template=gettext_noop(
            "Input version %(number)s of %(product)s is approved with other content (approved %(known)s, "
            "now %(given)s). A changed brief is a new input version: give it number %(following)s."
        ),
        params={
            "product": product,
            "number": known.number,
            "known": known.fingerprint,
            "given": print_of_brief,
            "following": following,
        },
        row=one.request.row,
    )
