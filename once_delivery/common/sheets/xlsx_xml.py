"""The XML parts of a workbook as a stream of events, read in pieces; a document type is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO, NamedTuple
from xml.parsers import expat

_PIECE = 64 * 1024


class BadWorkbookError(Exception):
    """The workbook's parts are not what a spreadsheet program writes."""


class Start(NamedTuple):
    """An element begins. Names are without their namespace, whose address differs between programs."""

    name: str
    attributes: Mapping[str, str]


class End(NamedTuple):
    """An element ends."""

    name: str


Event = Start | End | str


def events(stream: IO[bytes]) -> Iterator[Event]:
    """What is in ``stream``: starts, ends and text; raises BadWorkbookError."""
    found: list[Event] = []
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: found.append(Start(_local(name), attributes))
    parser.EndElementHandler = lambda name: found.append(End(_local(name)))
    parser.CharacterDataHandler = found.append
    # entities could make a small part endless or read other files; no spreadsheet program declares any
    parser.StartDoctypeDeclHandler = _refuse
    try:
        while piece := stream.read(_PIECE):
            parser.Parse(piece, False)  # noqa: FBT003
            yield from found
            found.clear()
        parser.Parse(b"", True)  # noqa: FBT003
    except expat.ExpatError as error:
        raise BadWorkbookError(str(error)) from None
    yield from found


def local_attributes(start: Start) -> dict[str, str]:
    """The attributes of ``start`` without their namespaces (“r:id” becomes “id”)."""
    return {_local(name): value for name, value in start.attributes.items()}


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _refuse(*_: object) -> None:
    raise BadWorkbookError("document type")
