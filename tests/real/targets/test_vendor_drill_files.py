"""Files in a real WordPress, as vendors upload them: with a form, or as they are with their name in a header."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.real.systems.wordpress import WordPressServer
from tests.real.targets.asking import a_picture
from tests.real.targets.vendor_drilling import Begun, begin_drill, some_titles
from tests.real.targets.vendors import files_on_wordpress

pytestmark = [pytest.mark.real, pytest.mark.django_db(transaction=True)]
MEDIA = "/wp-json/wp/v2/media"
FILES = ("--kind", "upload_file", "--creates-at", MEDIA)


def named(product: str) -> str:
    return f'attachment; filename="{product}.png"'


def by_form(begun: Begun, product: str) -> dict[str, Any]:
    picture = a_picture()
    files = {"file": (f"{product}.png", picture.data, picture.media_type)}
    return {"files": files, "data": {"title": begun.titles[product]}}


def as_it_is(begun: Begun, product: str) -> dict[str, Any]:
    headers = {"Content-Disposition": named(product), "Content-Type": "image/png"}
    return {"data": a_picture().data, "headers": headers}


def upload(begun: Begun, product: str, body: Callable[[Begun, str], dict[str, Any]]) -> None:
    """Again until it is answered, as a script with retries does."""
    sent = body(begun, product)
    sent["headers"] = {"Authorization": begun.vendored.authorization, **sent.get("headers", {})}
    for _ in range(4):
        try:
            answer = requests.post(f"{begun.base_url}{MEDIA}", timeout=30, **sent)
            answer.raise_for_status()
        except requests.RequestException:
            continue
        if body is as_it_is:  # such a file is given its title afterwards
            place = f"{begun.base_url}{MEDIA}/{answer.json()['id']}"
            title = {"title": begun.titles[product]}
            requests.post(
                place, json=title, headers=sent["headers"] | {"Content-Type": "application/json"}, timeout=30
            )
        return


@pytest.mark.parametrize("body", [by_form, as_it_is])
def test_files_are_recognised_and_counted(
    drill_proxy: int, wordpress: WordPressServer, tmp_path: Path, body: Callable[[Begun, str], dict[str, Any]]
) -> None:
    titles = some_titles(3)
    field = "form:title" if body is by_form else "header:Content-Disposition"
    values = () if body is by_form else [named(one) for one in titles]
    begun = begin_drill(
        files_on_wordpress(wordpress), ("answer_lost", "error_before"), titles, *FILES, "--field", field, values=values
    )  # fmt: skip
    for product in titles:
        upload(begun, product, body)
    code, verdicts = begun.finish(tmp_path)
    assert sum(begun.held()) == (4 if body is by_form else 3)  # a lost one never got its title
    assert verdicts == {
        "A": (True, "reused"),
        "B": (False, "duplicate"),
        "C": (True, "created-once"),
        "": (True, "rest-untouched"),
    }
    assert code == 1
