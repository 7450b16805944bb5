"""Every page that a person can come to, and reading one."""

from __future__ import annotations

from html.parser import HTMLParser

from django.urls import reverse

from once_delivery.vendor_drill.models import VendorDrillStatus
from once_delivery.web.help_topics import TOPICS
from tests.web.access import finance as books
from tests.web.access.cases import a_plan
from tests.web.access.vendor_drills import a_vendor_drill
from tests.web.conftest import World
from tests.web.uploads import BROKEN, an_upload

WORDS = ("aria-label", "title", "alt", "placeholder", "data-label", "data-done")
VOID = {"meta", "link", "input", "br", "hr", "img", "circle", "path", "rect", "use"}


def addresses(world: World) -> list[str]:
    batch = [world.batch.uuid]
    tasks = {
        action.task.uuid for action in (world.action(state) for state in ("confirmed", "sending", "refused"))
    }
    return [
        "/",
        "/batches/",
        "/batches/?view=trouble",
        "/batches/?state=refused&locale=de-DE&product=lamp",
        "/batches/?q=no+such+name",
        "/batches/import/",
        reverse("web:import-file", args=[an_upload(world).uuid]),
        reverse("web:import-file", args=[an_upload(world, name="broken.csv", data=BROKEN).uuid]),
        reverse("web:batch", args=batch),
        reverse("web:resume", args=batch),
        *(reverse("web:task", args=[task]) for task in sorted(tasks)),
        "/review/",
        "/review/?state=all&view=grid",
        *(reverse("web:review-task", args=[task]) for task in sorted(tasks)),
        "/search/",
        "/search/?q=obj-1",
        "/search/?q=nothing+of+that+kind",
        "/cases/",
        "/cases/?view=mine",
        "/cases/?view=resolved",
        "/cases/?view=waiting",
        "/cases/?view=off&age=4-8&kind=refused",
        "/approvals/",
        reverse("web:bulk", args=[a_plan(world).uuid]),
        reverse("web:case", args=[world.case.uuid]),
        *_of_target(world),
        "/account/",
        "/account/browsers/",
        "/projects/aurora/",
        "/projects/aurora/members/",
        "/drills/",
        reverse("drill:report", args=[world.drill.uuid]),
        *_of_vendor_drills(world),
        "/help/",
        *(reverse("web:help-topic", args=[topic.key]) for topic in TOPICS),
    ]


def _of_vendor_drills(world: World) -> list[str]:
    over, still_open = (
        a_vendor_drill(world, status) for status in (VendorDrillStatus.FINISHED, VendorDrillStatus.OPEN)
    )
    return [
        "/drills/vendors/",
        "/drills/vendors/new/",
        f"/drills/vendors/compare/?drill={over.uuid}",
        reverse("vendor_drill:one", args=[over.uuid]),
        reverse("vendor_drill:one", args=[still_open.uuid]),
    ]


def of_finance(world: World) -> list[str]:
    """Every page of the books, for who keeps them; each with something on it."""
    pages = [
        reverse("web:finance", args=books.code(world)) + "?month=2026-09",
        reverse("web:finance", args=["aurora"]) + "?month=all&by=month&viewpoint=client",
        reverse("web:finance-entry", args=books.an_entry(world)),
        reverse("web:finance-document", args=books.a_document(world)),
        reverse("web:finance-sent", args=books.a_sent_file(world)),
        reverse("web:finance-line", args=books.a_line(world)),
        reverse("web:finance-duplicate", args=books.a_duplicate(world)),
        reverse("web:finance-period", args=books.a_month(world)),
        reverse("web:finance-scope", args=books.a_scope(world)),
    ]
    places = (
        "entries",
        "assets",
        "documents",
        "lines",
        "duplicates",
        "months",
        "rates",
        "terms",
        "quotes",
        "reports",
    )
    return [*pages, *(f"/finance/aurora/{place}/" for place in places), "/finance/aurora/reports/units/"]


def _of_target(world: World) -> list[str]:
    """What alice may open without having confirmed again who she is."""
    finding = world.finding
    target = [world.target.uuid]
    assert finding.audit is not None
    return [
        "/targets/",
        "/targets/new/",
        reverse("web:target", args=target),
        reverse("web:target-probe", args=target),
        reverse("web:audits", args=target),
        reverse("web:audit", args=[*target, finding.audit.uuid]),
        reverse("web:finding", args=[*target, finding.uuid]),
    ]


class Reader(HTMLParser):
    """What a page says: its text and the attributes that are read out, but not what must not be translated."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        kept = (
            values.get("translate") != "no" and values.get("lang") != "en" and tag not in {"script", "code"}
        )
        if values.get("translate") != "yes":
            kept = kept and (not self.open or self.open[-1][1])
        if tag not in VOID:
            self.open.append((tag, kept))
        # a time's title is numbers and its zone
        if kept and tag != "time":
            self.said += [value for name, value in values.items() if name in WORDS and value]

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and (not self.open or self.open[-1][1]):
            self.said.append(data.strip())


def read(html: str) -> list[str]:
    reader = Reader()
    reader.feed(html)
    return reader.said
