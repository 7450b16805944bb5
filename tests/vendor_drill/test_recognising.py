"""Pure parts: what a request is about, what an answer names, whose an object is, which paths stay within."""

from __future__ import annotations

import json
import posixpath
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from once_delivery.vendor_drill.items import items_of
from once_delivery.vendor_drill.models import Fault, InventoryRow
from once_delivery.vendor_drill.owners import owners_of
from once_delivery.vendor_drill.proxy.heads import RefusedError, _split
from once_delivery.vendor_drill.recognising import names_in, value_in
from once_delivery.vendor_drill.record import CallFact
from once_delivery.vendor_drill.showing import shown

SECRET = "s" * 43
MULTIPART = (
    '--b\r\nContent-Disposition: form-data; name="other"\r\n\r\nx\r\n'
    '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nVäse\r\n--b--\r\n'
).encode()
STRANGE = b"--b\r\nContent-Disposition: form-data; name*\r\n\r\nx\r\n"


@pytest.mark.parametrize(
    ("recognise", "place", "content_type", "body", "value"),
    [
        ("json", "/title", "", b'{"title": " Vase "}', "Vase"),
        ("json", "/data/0/name", "", b'{"data": [{"name": "Vase"}]}', "Vase"),
        ("json", "/number", "", b'{"number": 7}', "7"),
        ("json", "/title", "", b'{"title": {"rendered": "Vase"}}', ""),
        ("json", "/title", "", b"[1, 2]", ""),
        ("json", "/title", "", b"{", ""),
        ("json", "/title", "", b"\xff\xfe", ""),
        ("json", "/title", "", b'{"a":' * 100_000, ""),
        ("json", "/title", "", b'{"title": ' + b"9" * 10_000 + b"}", ""),
        ("form", "title", "application/x-www-form-urlencoded; charset=utf-8", b"a=1&title=V%C3%A4se", "Väse"),
        ("form", "title", "application/x-www-form-urlencoded", b"&".join([b"a=1"] * 2000), ""),
        ("form", "title", "multipart/form-data; boundary=b", MULTIPART, "Väse"),
        ("form", "title", "multipart/form-data; boundary=b", STRANGE + MULTIPART, "Väse"),
        ("form", "title", "multipart/form-data", MULTIPART, ""),
        ("form", "title", "application/json", b'{"title": "Vase"}', ""),
        ("header", "x-task", "", b"", "Vase"),
        ("header", "x-other", "", b"", ""),
        ("order", "", "", b'{"title": "Vase"}', ""),
    ],
)
def test_what_stands_at_the_agreed_place(
    recognise: str, place: str, content_type: str, body: bytes, value: str
) -> None:
    headers = [("Content-Type", content_type), ("X-Task", "Vase")]
    assert value_in(recognise, place, headers, body) == value


PART = "multipart/form-data; boundary=b"
HOSTILE: dict[str, tuple[str, str, list[bytes]]] = {
    "json": (
        "/title",
        "",
        [b"", b"\x00", b"\xef\xbb\xbf{}", b'"\\ud800"', b"[" * 200_000, b"1e999", b"9" * 10_000],
    ),
    "form": (
        "title",
        "application/x-www-form-urlencoded; charset*",
        [b"", b"title", b"=&=", b"title=%", b"title=%ff%00", b"&".join([b"title=1"] * 2000)],
    ),
    "multipart": (
        "title",
        PART,
        [
            b"--b\r\nContent-Disposition: form-data; name=title; filename*\r\n\r\nVase\r\n--b--\r\n",
            b"--b\r\nContent-Disposition: form-data; name*\r\n\r\nVase\r\n--b--\r\n",
            b"--b\r\nContent-Disposition: form-data; name*0*=x''%ff; name*1\r\n\r\nVase\r\n--b--\r\n",
            b"--b\r\nContent-Disposition: \r\n\r\nVase\r\n--b--\r\n",
            b"--b\r\nContent-Disposition: \xff;;;=\r\nContent-Type: multipart/mixed; boundary*\r\n\r\n\r\n--b--\r\n",
            b"--b\r\nContent-Transfer-Encoding: base64\r\nContent-Type: a/b; charset*\r\n\r\n=\r\n--b--\r\n",
            b"--b",
            b"",
        ],
    ),
    "multipart of a strange type": ("title", f"{PART}; filename*", [MULTIPART, b"--b", b""]),
    "multipart without a boundary": ("title", "multipart/form-data; boundary*", [MULTIPART, b"--b", b""]),
    "header": ("x-title", "", [b"", b"\xff"]),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_cannot_be_read_has_no_value(kind: str) -> None:
    place, content_type, bodies = HOSTILE[kind]
    recognise = kind if kind in {"json", "header"} else "form"
    for body in bodies:
        found = value_in(recognise, place, [("Content-Type", content_type)], body)
        assert found in {"", "%", "\ufffd\x00", "inf"}, (body, found)


@given(
    st.sampled_from(sorted(HOSTILE)),
    st.text(alphabet="abnmetil*='\"%;/\r\n -\xff", max_size=80),
    st.binary(max_size=80),
)
def test_whatever_is_sent_is_read_or_has_no_value(kind: str, more: str, body: bytes) -> None:
    place, content_type, _bodies = HOSTILE[kind]
    recognise = kind if kind in {"json", "header"} else "form"
    part = b"--b\r\nContent-Disposition: form-data; name=title;" + more.encode("latin-1") + b"\r\n\r\n" + body
    for one in (body, part):
        assert isinstance(value_in(recognise, place, [("Content-Type", content_type + more)], one), str)


@pytest.mark.parametrize(
    ("document", "location", "names"),
    [
        ({"id": 7, "author": {"id": 1}}, "", ["7"]),
        ({"data": {"id": 7, "documentId": "abc"}}, "", ["7", "abc"]),
        ({"posts": [{"id": "x1", "uuid": "u1"}]}, "", ["x1", "u1"]),
        ([{"id": 7}], "", ["7"]),
        ({"items": [{"id": 1}, {"id": 2}]}, "", []),
        ({"id": True}, "", []),
        ({"id": "a\x00b\ud800"}, "", ["ab"]),
        (None, "https://cms.example/posts/a%20b/", ["a b"]),
        ("text", "", []),
    ],
)
def test_what_an_answer_calls_its_object(document: object, location: str, names: list[str]) -> None:
    assert names_in([("Location", location)], json.dumps(document).encode()) == names


def test_a_fault_strikes_an_item_of_its_own_and_never_the_first() -> None:
    found = [
        (one.letter, one.value, one.fault) for one in items_of(4, ["a", "b"], ["slow_commit", "two_at_once"])
    ]
    assert found == [
        ("A", "a", None),
        ("B", "b", Fault.SLOW_COMMIT),
        ("C", "", Fault.TWO_AT_ONCE),
        ("D", "", None),
    ]


def test_whose_an_object_is() -> None:
    items = items_of(3, ["Kettle", "Lamp", "Chair"], ["answer_lost"])
    call = CallFact(1, None, "POST", "/d", "A", True, "", "", ended=True, status=201, names=("1",))  # type: ignore[arg-type]
    rows = [
        InventoryRow(result_id="1", title="renamed since"),
        InventoryRow(result_id="2", title=" LAMP "),
        InventoryRow(result_id="3", title="", words={"name": "chair", "body": "long"}),
        InventoryRow(result_id="4", title="", words={"name": "chair", "slug": "lamp"}),  # of two: nobody's
        InventoryRow(
            result_id="5", title="renamed since"
        ),  # made past the proxy, as one that was made through it
        InventoryRow(result_id="6", title="other"),
    ]
    assert owners_of(items, [call], rows) == {
        "1": ("A", "call"),
        "2": ("B", "title"),
        "3": ("C", "text"),
        "5": ("A", "title"),
    }


def test_what_an_answer_shows() -> None:
    items = items_of(3, ["Kettle & Co", "茶壶", ""], ["answer_lost"])
    names = {"C": frozenset({"obj-000001", "7"})}
    assert shown(items, names, "/posts", "Kettle &amp; Co") == "A"
    assert shown(items, names, "/posts", json.dumps(["茶壶"])) == "B"
    assert shown(items, names, "/posts", '{"id": "obj-000001"}') == "C"
    assert shown(items, names, "/posts", '{"count": 7}') == ""  # a short number stands everywhere
    assert shown(items, names, "/posts/7?x=1", "{}") == "C"


@given(st.text(alphabet="./\\%2eEfF5cC;x?&=", max_size=40))
def test_no_accepted_path_climbs_up_however_often_it_is_decoded(path: str) -> None:
    try:
        _, rest = _split(f"/{SECRET}/{path}".encode())
    except RefusedError:
        return
    below = rest.partition("?")[0]
    for _ in range(8):
        plain = below.replace("\\", "/")
        assert posixpath.normpath(f"/base/{plain}").startswith("/base")
        assert not {".", ".."} & {step.partition(";")[0] for step in plain.split("/")}
        below = unquote(below)
