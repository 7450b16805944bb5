from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from once_delivery.common.errors import InvalidInputError
from once_delivery.targets.base import Connection
from once_delivery.targets.profile import Guard, Profile
from once_delivery.targets.registry import connect
from once_delivery.targets.rest import declaration as declaration_module
from once_delivery.targets.rest.declaration import read_declaration
from once_delivery.targets.rest.profiles import NoReadyProfileError, ready_profile
from tests.fakes.scripted_server import answered
from tests.targets.rest_api import TOKEN, api, declared, thing

URL = "https://cms.example/api"


def problems(declaration: dict[str, Any]) -> list[tuple[str, str | None]]:
    with pytest.raises(InvalidInputError) as caught:
        read_declaration(declaration, URL)
    assert caught.value.message
    return [(problem.code, problem.pointer) for problem in caught.value.problems]


KIND = "/kinds/create_draft"


@pytest.mark.parametrize(
    ("_case", "declaration", "expected"),
    [
        ("nothing", {}, [("schema", "/")]),
        ("no kind", {"kinds": {}}, [("schema", "/kinds")]),
        ("unknown kind", {"kinds": {"delete_draft": {}}}, [("schema", "/kinds")]),
        ("unknown field", declared({"redirects": True}), [("schema", "/")]),
        ("DELETE", declared(create={"method": "DELETE"}), [("schema", f"{KIND}/create/method")]),
        ("path without slash", declared(create={"path": "drafts"}), [("schema", f"{KIND}/create/path")]),
        ("query in path", declared(create={"path": "/d?x=1"}), [("schema", f"{KIND}/create/path")]),
        ("bad pointer", declared(object={"id": "id"}), [("schema", f"{KIND}/object/id")]),
        ("multipart without field", declared(create={"encoding": "multipart"}), None),
        ("bearer without name", declared({"auth": {"scheme": "bearer"}}), [("schema", "/auth")]),
        ("header with line end", declared({"headers": {"X": "a\r\nb"}}), [("schema", "/headers/X")]),
        ("page without param", declared(list={"paging": {"style": "page"}}), [("schema", f"{KIND}/list/paging")]),
        ("done by decree", declared({"outcomes": {"500": "done"}}), [("schema", "/outcomes/500")]),
        ("laxer", declared({"outcomes": {"500": "refused", "400": "unknown"}}), [("outcome-laxer", "/outcomes/500")]),
        ("laxer in a kind", declared(create={"outcomes": {"409": "not_done"}}), [("outcome-laxer", f"{KIND}/create/outcomes/409")]),
        ("unknown name", declared(create={"path": "/d/{{result_id}}"}), [("template-name", f"{KIND}/create/path")]),
        ("secret in a body", declared(create={"body": {"x": "{{credentials.token}}"}}), [("template-name", f"{KIND}/create/body")]),
        ("braces", declared(look_up={"query": {"q": "{{marker"}}), [("template-syntax", f"{KIND}/look_up/query/q")]),
        ("two at once", declared(create={"path": "/{{x}}"}, read={"path": "/{{y}}"}),
         [("template-name", f"{KIND}/create/path"), ("template-name", f"{KIND}/read/path")]),
    ],
)  # fmt: skip
def test_mistakes_are_named_with_their_place(
    _case: str, declaration: dict[str, Any], expected: list[tuple[str, str]] | None
) -> None:
    found = problems(declaration)
    assert found == expected if expected is not None else found


def test_a_credential_that_is_not_there() -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect("rest", Connection(URL, declared(), {"key": "x"}))
    (problem,) = caught.value.problems
    assert (problem.code, problem.pointer) == ("credential-missing", "/auth/credential")
    assert problem.message == "/auth/credential: there is no credential named “token”."


@pytest.mark.parametrize(
    "url",
    [
        "",
        "cms.example",
        "ftp://cms.example",
        "https://u:p4ssword@cms.example",
        "https://cms.example/?x=1",
        "https://cms.example/#x",
    ],
)
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect("rest", Connection(url, declared(), {"token": TOKEN}))
    assert caught.value.problems[0].pointer == "/base_url"
    assert "p4ssword" not in caught.value.message


@pytest.mark.parametrize("guard", list(Guard))
def test_ready_profiles_fit_their_schemas(guard: Guard) -> None:
    ready = ready_profile("sandbox", guard)
    read_declaration(ready.declaration, URL)
    assert Profile.from_json(ready.profile).guard == guard
    assert ready.credentials == ("token",)


@pytest.mark.parametrize("name", ["absent", "../profiles/sandbox/.."])
def test_a_ready_profile_that_is_not_there(name: str) -> None:
    with pytest.raises(NoReadyProfileError):
        ready_profile(name, Guard.NONE)


def test_the_examples_of_the_readme_fit_the_schema() -> None:
    readme = Path(declaration_module.__file__).with_name("README.md").read_text(encoding="utf-8")
    examples = [json.loads(text) for text in re.findall(r"```json\n(\{\s*\"auth\".*?)```", readme, re.DOTALL)]
    assert examples
    for example in examples:
        read_declaration(example, URL)


CHECK = {"check": {"path": "/me"}}


class TestCheck:
    def test_all_well(self) -> None:
        with api(
            answered({}), answered({"items": []}), answered({"items": [thing()]}), declaration=declared(CHECK)
        ) as (
            connector,
            server,
        ):
            lines = connector.check()
        assert [(line.name, line.ok) for line in lines] == [
            ("connection", True),
            ("credentials", True),
            ("look_up:create_draft", True),
            ("list:create_draft", True),
        ]
        assert {received.method for received in server.requests} == {"GET"}

    @pytest.mark.parametrize("status", [401, 403, 404, 500, 302])
    def test_credentials_that_do_not_work(self, status: int) -> None:
        with api(answered({}, status), declaration=declared(CHECK)) as (connector, _):
            connection, credentials, *_ = connector.check()
        assert connection.ok
        assert (credentials.ok, credentials.code) == (False, f"http-{status}")

    def test_a_status_that_is_declared_to_be_fine(self) -> None:
        declaration = declared({"check": {"path": "/none", "statuses": [404]}})
        with api(answered({}, 404), declaration=declaration) as (connector, _):
            assert connector.check()[1].ok

    def test_a_target_that_is_not_there(self) -> None:
        with api(answered({}), declaration=declared(CHECK)) as (connector, server):
            server.close()
            (line,) = connector.check()
        assert (line.ok, line.code) == (False, "connect-refused")

    def test_a_look_up_that_cannot_be_read(self) -> None:
        with api(answered({"items": []}), answered({"data": []}), declaration=declared()) as (connector, _):
            lines = connector.check()
        assert [(line.name, line.ok, line.code) for line in lines] == [
            ("look_up:create_draft", True, ""),
            ("list:create_draft", False, "unreadable-page"),
        ]


@pytest.mark.parametrize("auth", ["", 1, None, [], {"scheme": "bearer", "credential": []}])
def test_a_way_to_prove_oneself_that_is_none(auth: Any) -> None:
    with pytest.raises(InvalidInputError) as caught:
        connect("rest", Connection(URL, declared({"auth": auth}), {"token": TOKEN}))
    assert {one.code for one in caught.value.problems} == {"schema"}
    assert all(str(one.pointer).startswith("/auth") for one in caught.value.problems)
