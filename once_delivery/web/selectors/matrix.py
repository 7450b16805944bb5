"""Deliveries as a matrix of products and locales: whichever is fewer stands in the columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse

from once_delivery.ledger.models import Action
from once_delivery.ledger.states import State
from once_delivery.web.selectors.deliveries import Delivery
from once_delivery.web.selectors.notes import note_of
from once_delivery.web.selectors.states import RANK
from once_delivery.web.wording import kind_word


@dataclass(frozen=True, slots=True)
class Mark:
    """One chip: a state, how many actions share it, and what is worth knowing about it."""

    key: str
    state: str
    word: str
    count: int
    kind: str
    note: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One task in the matrix."""

    url: str
    version: int
    marks: list[Mark]


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before a row or above a column."""

    title: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """Where a row and a column meet: its column's title, and the tasks there (several when versions differ)."""

    column: str
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class Row:
    """One line: its head, the purpose when there are several, and a field for each column."""

    head: Head
    purpose: str
    fields: list[Field]
    new_group: bool
    group_size: int = 1


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows and columns. ``products_across``: the products are the columns and the locales the rows."""

    products_across: bool
    columns: list[Head]
    rows: list[Row]
    with_purpose: bool
    with_versions: bool


def matrix_of(deliveries: Sequence[Delivery]) -> Matrix:
    """The matrix of these tasks, in the order in which they were asked for."""
    products = {
        one.task.product.code: Head(one.task.product.name, one.task.product.code) for one in deliveries
    }
    locales = {one.task.locale: Head(one.task.locale) for one in deliveries}
    across = len(products) <= len(locales)
    columns, heads = (products, locales) if across else (locales, products)
    places: dict[tuple[str, str], dict[str, list[Cell]]] = {}
    for one in deliveries:
        product, locale = one.task.product.code, one.task.locale
        row, column = (locale, product) if across else (product, locale)
        place = places.setdefault((row, one.task.purpose), defaultdict(list))
        place[column].append(cell_of(one))
    return Matrix(
        products_across=across,
        columns=list(columns.values()),
        rows=_rows(places, heads, columns),
        with_purpose=len({one.task.purpose for one in deliveries}) > 1,
        with_versions=len({one.task.input_version.number for one in deliveries}) > 1,
    )


def _rows(
    places: Mapping[tuple[str, str], Mapping[str, list[Cell]]],
    heads: Mapping[str, Head],
    columns: Mapping[str, Head],
) -> list[Row]:
    order = {row: number for number, row in enumerate(heads)}
    keys = sorted(places, key=lambda key: order[key[0]])  # stable: purposes stay as they were asked for
    sizes = Counter(row for row, _purpose in keys)
    rows: list[Row] = []
    before = ""
    for row, purpose in keys:
        fields = [Field(head.title, places[row, purpose].get(column, [])) for column, head in columns.items()]
        rows.append(Row(heads[row], purpose, fields, new_group=row != before, group_size=sizes[row]))
        before = row
    return rows


def cell_of(delivery: Delivery) -> Cell:
    """The task's actions, those of one state together, the most urgent first."""
    groups: dict[str, list[Action]] = defaultdict(list)
    for action in delivery.actions:
        groups[action.state].append(action)
    alone = len(groups) == 1
    marks = [
        Mark(
            key=f"a{actions[-1].pk}",
            state=state,
            word=str(State(state).label),
            count=len(actions),
            kind="" if alone else ", ".join(kind_word(action.kind) for action in actions),
            # the last one is what the others were made for: the draft, not its pictures
            note=note_of(actions[-1], owner=delivery.owners.get(actions[-1].pk, "")),
        )
        for state, actions in sorted(groups.items(), key=lambda group: RANK[group[0]])
    ]
    url = reverse("web:task", args=[delivery.task.uuid])
    return Cell(url=url, version=delivery.task.input_version.number, marks=marks)
