"""How much and how long the proxy bears."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes and seconds. ``read_body``: how much of a body is read before it is forwarded, to recognise its item."""

    head_bytes: int = 32 * 1024
    headers: int = 100
    body_bytes: int = 64 * 1024 * 1024
    read_body: int = 2 * 1024 * 1024
    read_answer: int = 2 * 1024 * 1024  # of an answer, to see what it names and shows
    held_answer: int = 256 * 1024  # longer ones are given as they come, all but their end
    head_s: float = 15.0
    idle_s: float = 60.0
    piece_s: float = 20.0  # between two pieces of a body
    body_s: float = 300.0
    connect_s: float = 10.0
    answer_s: float = 300.0  # until the target begins to answer, and between two pieces of its answer
    link_idle_s: float = 3.0  # after that a target may be closing its connection: Node does after 5 s
    connections: int = 256
    calls: int = 20_000  # of one drill
    chunk: int = 256 * 1024


LIMITS = Limits()
