"""axe-core on one page: what stands in somebody's way, by the tags of WCAG 2.2 AA."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
SOURCE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RUN = """async (tags) => {
  const found = await axe.run(document, {runOnly: tags, resultTypes: ["violations"]});
  return found.violations.flatMap((one) => one.nodes.map((node) => [one.id, node.target.join(" "), node.failureSummary]));
}"""


def barriers(page: Page) -> list[str]:
    """Each violation: rule, element, what is wrong. The page's context must have ``bypass_csp``."""
    page.evaluate(SOURCE)
    found: list[list[Any]] = page.evaluate(RUN, TAGS)
    return [f"{rule}: {target}: {' '.join(summary.split())[:300]}" for rule, target, summary in found]
