"""Write down how a request ended: what the target said, what the caller was given."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db import IntegrityError, connection

from once_delivery.vendor_drill.errors import NotOpenError
from once_delivery.vendor_drill.models import RecordedAnswer
from once_delivery.vendor_drill.services.open_door import Terms
from once_delivery.vendor_drill.services.record_call import Seen


@dataclass(frozen=True, slots=True)
class Ended:
    """``shows``: letters of the items that a read has shown to the caller."""

    status: int | None = None
    given: int | None = None
    names: list[str] = field(default_factory=list)
    shows: str = ""
    note: str = ""
    body_sha256: str = ""
    request_bytes: int = 0
    answer_bytes: int = 0
    took_ms: float = 0.0


def record_answer(*, call_id: int, ended: Ended) -> None:
    """Whether the drill is still open or not: what came late is kept too."""
    RecordedAnswer.objects.create(
        call_id=call_id,
        status=ended.status,
        given=ended.given,
        names=ended.names,
        shows=ended.shows,
        note=ended.note,
        body_sha256=ended.body_sha256,
        request_bytes=ended.request_bytes,
        answer_bytes=ended.answer_bytes,
        took_ms=round(ended.took_ms, 3),
    )


def record_read(*, terms: Terms, seen: Seen, ended: Ended) -> None:
    """A request without an effect and its end, in one statement; raises NotOpenError."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(_READ, [
                terms.drill_id, seen.method, seen.path, ended.body_sha256, ended.status, ended.given, ended.shows,
                ended.note, ended.body_sha256, ended.request_bytes, ended.answer_bytes, round(ended.took_ms, 3),
            ])  # fmt: skip
    except IntegrityError as error:
        raise NotOpenError from error


_READ = """
WITH call AS (
    INSERT INTO vendor_drill_recordedcall (drill_id, method, path, item, creates, fault, body_sha256)
    VALUES (%s, %s, %s, '', false, '', %s) RETURNING id
)
INSERT INTO vendor_drill_recordedanswer
    (call_id, status, given, names, shows, note, body_sha256, request_bytes, answer_bytes, took_ms)
SELECT id, %s, %s, '[]', %s, %s, %s, %s, %s, %s FROM call
"""
