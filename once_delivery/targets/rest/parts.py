"""Parts that every request of a declaration has: templates, an address, a table of outcomes, mistakes by their place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.utils.translation import gettext_noop

from once_delivery.common.errors import Problem
from once_delivery.targets import outcomes
from once_delivery.targets.base import Outcome
from once_delivery.targets.http_json.template import TemplateError, Text, parse, parse_path, parse_tree
from once_delivery.targets.rest.rules import Rule
from once_delivery.targets.rest.spec import Address, Query

_TEMPLATE_PROBLEMS = {
    "template-name": gettext_noop("%(pointer)s: “%(name)s” cannot be used here; there are %(names)s."),
    "template-syntax": gettext_noop("%(pointer)s: “%(name)s” has braces that are no template."),
}
T = TypeVar("T")
_OK = range(200, 300)


class Parts:
    """Collects what a schema cannot see in ``problems``."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def address(self, spec: Mapping[str, Any], where: str, names: frozenset[str]) -> Address:
        """Path, query and headers."""
        return Address(
            path=self.parsed(parse_path, spec["path"], f"{where}/path", names) or Text(()),
            query=self.texts(spec.get("query", {}), f"{where}/query", names),
            headers=self.texts(spec.get("headers", {}), f"{where}/headers", names),
        )

    def query(self, spec: Mapping[str, Any], where: str, names: frozenset[str]) -> Query:
        """How to ask."""
        body = self.parsed(parse_tree, spec.get("body"), f"{where}/body", names)
        return Query(self.address(spec, where, names), spec.get("method", "GET"), body)

    def rules(self, spec: Mapping[str, Any], where: str) -> tuple[Rule, ...]:
        """``answers`` and ``exists``: what is declared to be meant by certain answers."""
        for number, declared in enumerate(spec.get("answers", ())):
            status, outcome = declared["status"], Outcome(declared["outcome"])
            # in a 2xx the document itself may say that nothing was done
            if status not in _OK and outcome not in outcomes.allowed(status):
                self._laxer(f"{where}/answers/{number}", status, outcome)
        given = [*spec.get("answers", ()), *spec.get("exists", ())]
        return tuple(Rule.read(declared) for declared in given)

    def texts(self, given: Mapping[str, str], where: str, names: frozenset[str]) -> dict[str, Text]:
        """Several templates by name."""
        return {
            name: self.parsed(parse, text, f"{where}/{name}", names) or Text(())
            for name, text in given.items()
        }

    def parsed(
        self, parser: Callable[[Any, frozenset[str]], T], given: Any, where: str, names: frozenset[str]
    ) -> T | None:
        """What ``parser`` makes of it; None with a problem when it cannot."""
        try:
            return parser(given, names)
        except TemplateError as error:
            template = _TEMPLATE_PROBLEMS[error.code]
            self.problem(error.code, template, where, name=error.name, names=", ".join(sorted(names)))
            return None

    def outcomes(self, spec: Mapping[str, Any], where: str) -> dict[int, Outcome]:
        """A declared table, which may be stricter than ours and never laxer."""
        overrides = {int(status): Outcome(word) for status, word in spec.get("outcomes", {}).items()}
        for status in outcomes.laxer(overrides):
            self._laxer(f"{where}/outcomes/{status}", status, overrides[status])
        return overrides

    def _laxer(self, where: str, status: int, outcome: Outcome) -> None:
        template = gettext_noop(
            "%(pointer)s: status %(status)s may not mean “%(outcome)s”: "
            "the request may have been carried out."
        )
        self.problem("outcome-laxer", template, where, status=status, outcome=outcome)

    def problem(self, code: str, template: str, where: str, **params: Any) -> None:
        """Note a mistake."""
        self.problems.append(Problem(code, template, {"pointer": where, **params}, pointer=where))
