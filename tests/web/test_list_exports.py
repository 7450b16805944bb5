"""The queue and the list of drafts: everything that is shown as a file, and views that a person keeps."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client as Browser

from once_delivery.web.models import SavedView
from once_delivery.web.selectors import case_export
from reconciliation.models import Case
from tests.web.conftest import World, signed_in


def rows_of(response: Any) -> list[dict[str, str]]:
    assert response.streaming
    assert response["Content-Type"].startswith("text/csv")
    text = b"".join(response).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_the_queue_as_a_file_in_the_order_of_the_page(
    world: World, alice: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case_export, "AT_ONCE", 1)  # page after page
    rows = rows_of(alice.get("/cases/export.csv"))
    cases = Case.objects.filter(project=world.project, status="open").order_by("due_at", "pk")
    assert [row["Address"].rpartition("/cases/")[2] for row in rows] == [f"{one.uuid}/" for one in cases]
    (row,) = [one for one in rows if str(world.case.uuid) in one["Address"]]
    assert (row["Project"], row["Owner"], row["Best candidate"]) == ("aurora", "爱丽", "8117")
    assert rows_of(alice.get(f"/cases/export.csv?kind={world.case.kind}&owner=nobody")) == []
    assert {one["Kind"] for one in rows_of(alice.get("/cases/export.csv?kind=refused"))} == {
        "refused by the target"
    }
    assert rows_of(signed_in(world.charlie).get("/cases/export.csv?project=aurora")) == []


def test_the_drafts_as_a_file_in_the_readers_language(world: World) -> None:
    confirmed = world.action("confirmed")
    (row,) = rows_of(signed_in(world.alice, language="zh-hans").get("/review/export.csv"))
    assert (row["项目"], row["结果 ID"]) == ("aurora", confirmed.result_id)
    assert row["目标系统"] == confirmed.target.name
    assert rows_of(signed_in(world.alice).get("/review/export.csv?locale=xx")) == []
    assert rows_of(signed_in(world.charlie).get("/review/export.csv?state=all&project=aurora")) == []


@pytest.mark.parametrize(
    ("page", "query", "kept"),
    [
        ("cases", "kind=refused&view=mine&after=9&x=1", "view=mine&kind=refused"),
        ("review", "state=accepted&locale=de-DE&after=1.2", "locale=de-DE&state=accepted"),
    ],
)
def test_a_view_is_kept_and_marked_where_it_is_shown(
    world: World, alice: Browser, page: str, query: str, kept: str
) -> None:
    address = f"/{page}/"
    assert "Keep this view" not in alice.get(address).content.decode()
    assert f'value="{kept.replace("&", "&amp;")}"' in alice.get(f"{address}?{query}").content.decode()
    response = alice.post(f"/views/{page}/save/", {"name": "Mine alone", "query": query})
    assert (response["Location"], SavedView.objects.get().query) == (f"{address}?{kept}", kept)
    shown = alice.get(f"{address}?{kept}").content.decode()
    assert f'href="{address}?{kept.replace("&", "&amp;")}" aria-current="true"' in shown
    assert "Mine alone" not in signed_in(world.vic).get(address).content.decode()
