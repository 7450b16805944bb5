"""The few figures that tell whether the house delivers, counted as things happen. No tenant is named."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from once_delivery.ledger.models.counted import ATTEMPTS, LOOK_UPS, NEVER_BEFORE, RESOLVED, RESOLVED_WITHIN
from once_delivery.ledger.services.heart import pulse

_Counted = dict[tuple[str, str], tuple[int, float]]

_OPEN = """
SELECT state, count(*), coalesce(extract(epoch FROM clock_timestamp() - min(state_since)), 0)
FROM ledger_action WHERE state IN ('uncertain', 'reconcile') GROUP BY state
"""
_COUNTED = """
SELECT name, label, sum(many), sum(seconds) FROM ledger_counted
WHERE NOT gathered OR (gathered AND target_id IS NULL AND hour IS NULL) GROUP BY name, label
"""
_DUPLICATES = "SELECT count(*) FROM reconciliation_finding WHERE kind = 'duplicate' AND over_at IS NULL"
_RESTORED = "SELECT count(*) FROM ledger_restoration WHERE ended_at IS NULL"
_BREAKERS = """
SELECT count(*) FILTER (WHERE open_until > clock_timestamp()), count(*) FROM ledger_gate
"""
_MESSAGES = """
SELECT count(*) FILTER (WHERE next_try_at IS NOT NULL), count(*) FILTER (WHERE given_up_at IS NOT NULL)
FROM notices_message WHERE sent_at IS NULL
"""


class Vitals(Collector):
    """What Prometheus reads. Every figure comes from the rows, so that it is the same from every process."""

    def collect(self) -> Iterator[Metric]:
        yield from _questions()
        counted = {(name, label): (many, seconds) for name, label, many, seconds in _rows(_COUNTED)}
        yield _counter(
            "once_attempts", "Requests that were answered or given up.", "outcome", ATTEMPTS, counted
        )
        yield _counter("once_look_ups", "Look-ups, by what they showed.", "verdict", LOOK_UPS, counted)
        yield _resolutions(counted)
        ((duplicates,),) = _rows(_DUPLICATES)
        yield _one(
            "once_duplicates_open", "Objects of ours that are there twice, by the targets' lists.", duplicates
        )
        now = pulse()
        ago = now.sweep_ago if now.sweep_ago is not None else float("nan")
        yield _one("once_sweep_seconds", "Seconds since the last sweep.", ago)
        yield _one("once_oldest_due_seconds", "How long the oldest due row has waited.", now.oldest_due)
        ((restored,),) = _rows(_RESTORED)
        yield _one("once_restorations_open", "Restores from a backup that nobody has ended.", restored)
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


def _counter(name: str, help_text: str, label: str, what: str, counted: _Counted) -> CounterMetricFamily:
    family = CounterMetricFamily(name, help_text, labels=[label])
    for (one, value), (many, _) in sorted(counted.items()):
        if one == what:
            family.add_metric([value], float(many))
    return family


def _resolutions(counted: _Counted) -> HistogramMetricFamily:
    """From becoming uncertain until it was something else than a question."""
    family = HistogramMetricFamily("once_resolution_seconds", "How long uncertain results stayed uncertain.")
    buckets, so_far, seconds = [], 0.0, 0.0
    for border in (*map(str, RESOLVED_WITHIN), NEVER_BEFORE):
        many, took = counted.get((RESOLVED, border), (0, 0.0))
        so_far, seconds = so_far + float(many), seconds + float(took)
        buckets.append((border if border == NEVER_BEFORE else f"{border}.0", so_far))
    family.add_metric([], buckets=buckets, sum_value=seconds)
    return family


def _one(name: str, help_text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, help_text, value=float(value))


def _rows(sql: str, *parameters: int) -> list[tuple]:  # type: ignore[type-arg]
    with connection.cursor() as cursor:
        cursor.execute(sql, list(parameters))
        return list(cursor.fetchall())
