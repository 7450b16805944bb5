"""The few figures that tell whether the house delivers, counted when they are asked for. No tenant is named."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from once_delivery.ledger.services.heart import pulse

HOUR_S = 3600

_OPEN = """
SELECT state, count(*), coalesce(extract(epoch FROM clock_timestamp() - min(state_since)), 0)
FROM ledger_action WHERE state IN ('uncertain', 'reconcile') GROUP BY state
"""
_ATTEMPTS = """
SELECT outcome, count(*) FROM ledger_receipt WHERE received_at > clock_timestamp() - %s * interval '1 second'
GROUP BY outcome
"""
_LOOKS = """
SELECT verdict, count(*) FROM ledger_observation WHERE recorded_at > clock_timestamp() - %s * interval '1 second'
GROUP BY verdict
"""
# from becoming uncertain until it was something else than a question
_RESOLVED = """
SELECT count(*), coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY took), 0),
       coalesce(percentile_cont(0.95) WITHIN GROUP (ORDER BY took), 0)
FROM (
    SELECT extract(epoch FROM solved.at - began.at) AS took
    FROM ledger_event solved
    CROSS JOIN LATERAL (
        SELECT at FROM ledger_event one
        WHERE one.action_id = solved.action_id AND one.to_state = 'uncertain' AND one.revision < solved.revision
        ORDER BY one.revision DESC LIMIT 1
    ) began
    WHERE solved.at > clock_timestamp() - %s * interval '1 second'
      AND solved.from_state IN ('uncertain', 'reconcile')
      AND solved.to_state IN ('confirmed', 'accepted', 'planned', 'cancelled')
) spans
"""
_DUPLICATES = "SELECT count(*) FROM reconciliation_finding WHERE kind = 'duplicate' AND over_at IS NULL"
_BREAKERS = """
SELECT count(*) FILTER (WHERE open_until > clock_timestamp()), count(*) FROM ledger_gate
"""
_MESSAGES = """
SELECT count(*) FILTER (WHERE next_try_at IS NOT NULL), count(*) FILTER (WHERE given_up_at IS NOT NULL)
FROM notices_message WHERE sent_at IS NULL
"""


class Vitals(Collector):
    """What Prometheus reads. Every figure comes from the rows, so that it is the same from every process."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield from _questions()
        yield _labelled(
            "once_attempts_last_hour", "Requests that were answered or given up.", "outcome", _ATTEMPTS
        )
        yield _labelled("once_look_ups_last_hour", "Look-ups, by what they showed.", "verdict", _LOOKS)
        yield from _resolutions()
        ((duplicates,),) = _rows(_DUPLICATES)
        yield _one(
            "once_duplicates_open", "Objects of ours that are there twice, by the targets' lists.", duplicates
        )
        now = pulse()
        ago = now.sweep_ago if now.sweep_ago is not None else float("nan")
        yield _one("once_sweep_seconds", "Seconds since the last sweep.", ago)
        yield _one("once_oldest_due_seconds", "How long the oldest due row has waited.", now.oldest_due)
        ((shut, gates),) = _rows(_BREAKERS)
        yield _one("once_breakers_open", "Targets that are left alone since they do not answer.", shut)
        yield _one("once_breakers", "Targets that were ever sent to.", gates)
        ((waiting, given_up),) = _rows(_MESSAGES)
        yield _one("once_messages_waiting", "E-mails and webhooks in the outbox.", waiting)
        yield _one("once_messages_given_up", "E-mails and webhooks that did not arrive.", given_up)


def _questions() -> Iterator[GaugeMetricFamily]:
    found = {state: (many, oldest) for state, many, oldest in _rows(_OPEN)}
    count = GaugeMetricFamily(
        "once_uncertain_actions", "Actions whose result is a question.", labels=["state"]
    )
    oldest = GaugeMetricFamily(
        "once_oldest_uncertain_seconds", "How long the oldest of them is one.", labels=["state"]
    )
    for state in ("uncertain", "reconcile"):
        many, seconds = found.get(state, (0, 0))
        count.add_metric([state], float(many))
        oldest.add_metric([state], float(seconds))
    yield count
    yield oldest


def _resolutions() -> Iterator[GaugeMetricFamily]:
    ((many, median, high),) = _rows(_RESOLVED, HOUR_S)
    yield _one("once_resolved_last_hour", "Questions that were resolved.", many)
    took = GaugeMetricFamily(
        "once_resolution_seconds", "How long it took, of those of the last hour.", labels=["quantile"]
    )
    took.add_metric(["0.5"], float(median))
    took.add_metric(["0.95"], float(high))
    yield took


def _labelled(name: str, help_text: str, label: str, sql: str) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, help_text, labels=[label])
    for value, many in _rows(sql, HOUR_S):
        family.add_metric([value], float(many))
    return family


def _one(name: str, help_text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, help_text, value=float(value))


def _rows(sql: str, *parameters: int) -> list[tuple]:  # type: ignore[type-arg]
    with connection.cursor() as cursor:
        cursor.execute(sql, list(parameters))
        return list(cursor.fetchall())
