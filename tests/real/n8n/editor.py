"""n8n's editor in a real browser, as a person uses it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, ViewportSize

from tests.real.systems.n8n import OWNER, N8nServer

WINDOW: ViewportSize = {"width": 1440, "height": 900}
PATIENCE_MS = 30_000
DRAWN_MS = 1_200  # the canvas moves until it rests
KEPT_MS = 2_500  # the editor keeps what was imported a moment later


class Editor:
    """Somebody who is signed in."""

    def __init__(self, browser: Browser, n8n: N8nServer) -> None:
        context = browser.new_context(viewport=WINDOW, base_url=n8n.base_url, reduced_motion="reduce")
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.goto("/signin")
        self.page.locator("input[type=email]").fill(OWNER["email"])
        self.page.locator("input[type=password]").fill(OWNER["password"])
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url("**/home/**")

    def _part(self, name: str) -> Locator:
        return self.page.locator(f"[data-test-id={name}]")

    def import_file(self, file: Path) -> None:
        """A new workflow from a file, by the editor's own menu."""
        self.page.goto("/workflow/new")
        self._part("workflow-menu").click()
        self.page.get_by_role("menuitem", name="Import").hover()
        with self.page.expect_file_chooser() as chooser:
            self.page.get_by_role("menuitem", name="From file").click()
        chooser.value.set_files(file)
        self._part("canvas-node").first.wait_for()

    def nodes(self) -> list[str]:
        """The names of the nodes on the canvas; notes have none."""
        names: list[str] = self._part("canvas-node").evaluate_all(
            "nodes => nodes.map(node => node.dataset.nodeName)"
        )
        return names

    def workflow_id(self) -> str:
        """Of the open workflow, once n8n has kept it."""
        self._part("workflow-name-input").first.wait_for(state="attached")
        self.page.wait_for_timeout(KEPT_MS)
        return self.page.url.partition("/workflow/")[2].partition("?")[0]

    def complaints(self) -> int:
        """How many nodes n8n puts a red mark on: a credential or a parameter is missing."""
        return self._part("node-issues").count()

    def press_retry(self, workflow_id: str, execution_id: str) -> None:
        """The button of a failed execution."""
        self.show_execution(workflow_id, execution_id)
        self._part("execution-preview-retry-button").click()
        self.page.get_by_text("Retry with original workflow").click()

    def show_execution(self, workflow_id: str, execution_id: str) -> None:
        """One execution of the list, with its colours on the canvas."""
        self.page.goto(f"/workflow/{workflow_id}/executions/{execution_id}")
        self._part(f"execution-preview-details-{execution_id}").wait_for()
        self.page.wait_for_timeout(DRAWN_MS)
        advice = self._part("suggested-actions-close")
        if advice.is_visible():
            advice.click()

    def picture(self, file: Path) -> None:
        """The whole workflow, all of it in sight."""
        self.page.wait_for_timeout(DRAWN_MS)
        self._part("zoom-to-fit").click()
        self.page.mouse.move(700, 120)
        self.page.wait_for_timeout(DRAWN_MS)
        self.page.screenshot(path=file, animations="disabled")
