"""Tables of rates and prices: a row that is kept already is left out, the rest is written in few statements."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from import_export.fields import Field
from import_export.resources import ModelResource
from import_export.widgets import Widget
from tablib import Dataset

from billing.models import FxRate, PriceVersion
from once_delivery.accounts.models import Project, User

if TYPE_CHECKING:
    _Resource = ModelResource[Any]
else:
    _Resource = ModelResource  # its types are subscripted, the class itself is not


class _OnceResource(_Resource):
    """Takes values that were read and checked. ``names`` are the columns; all of them together are a row's identity."""

    names: tuple[str, ...] = ()

    def __init__(self, project: Project, user: User | None, known: set[tuple[Any, ...]]) -> None:
        super().__init__()
        self._project, self._user, self._known = project, user, known
        self.fields = OrderedDict(
            (name, Field(attribute=name, column_name=name, widget=Widget(), saves_null_values=True))
            for name in self.names
        )

    def get_import_order(self) -> tuple[str, ...]:
        """The columns as they come."""
        return self.names

    def init_instance(self, row: dict[str, Any] | None = None) -> Any:
        """A row of this project."""
        made = super().init_instance(row)
        made.project = self._project
        if hasattr(made, "saved_by_id"):
            made.saved_by = self._user
        return made

    def skip_row(self, instance: Any, original: Any, row: Any, import_validation_errors: Any = None) -> bool:
        """Said once is enough."""
        said = tuple(getattr(instance, name) for name in self.names)
        if said in self._known:
            return True
        self._known.add(said)
        return False


class FxRates(_OnceResource):
    """Rates as a source published them."""

    names = ("currency", "into", "day", "rate", "source")

    class Meta:
        model = FxRate
        use_bulk = True
        batch_size = 1000
        skip_diff = True
        force_init_instance = True
        report_skipped = False


class Prices(_OnceResource):
    """Versions of prices."""

    names = ("provider", "model", "unit", "price", "currency", "valid_from", "valid_until", "source")

    class Meta:
        model = PriceVersion
        use_bulk = True
        batch_size = 1000
        skip_diff = True
        force_init_instance = True
        report_skipped = False


def kept_rates(rows: Sequence[tuple[Any, ...]], *, project: Project, user: User | None) -> int:
    """Writes the rates that are new (values in the order of ``FxRates.names``); returns how many."""
    known = FxRate.objects.filter(project=project).values_list(*FxRates.names)
    return _kept(FxRates(project, user, set(known)), rows)


def kept_prices(rows: Sequence[tuple[Any, ...]], *, project: Project, user: User | None) -> int:
    """Writes the prices that are new (values in the order of ``Prices.names``); returns how many."""
    known = PriceVersion.objects.filter(project=project).values_list(*Prices.names)
    return _kept(Prices(project, user, set(known)), rows)


def _kept(resource: _OnceResource, rows: Sequence[tuple[Any, ...]]) -> int:
    table = Dataset(*rows, headers=resource.names)
    result = resource.import_data(table, raise_errors=True, use_transactions=False)
    return int(result.totals["new"])
