"""Whether a task without a counted unit is finally closed, or still in work: it decides what is non-yield and what WIP."""

from __future__ import annotations

# Of a task t with its input version v, at the end of a scope: superseded by a newer version that was asked for, every
# action superseded or cancelled, or a rejection as its last decision. NULL while it is in work. Changes that were asked
# for leave it in work; a rejected draft that is accepted after all counts by its unit and is not asked about here.
GIVEN_UP = """CASE
    WHEN EXISTS (
        SELECT FROM ledger_task nt JOIN ledger_inputversion nv ON nv.id = nt.input_version_id
        WHERE nt.product_id = t.product_id AND nt.locale = t.locale AND nt.purpose = t.purpose
          AND nv.number > v.number AND nt.created_at < %(ends)s) THEN 'superseded'
    WHEN EXISTS (SELECT FROM ledger_action n WHERE n.task_id = t.id) AND NOT EXISTS (
        SELECT FROM ledger_action n WHERE n.task_id = t.id
          AND (n.state NOT IN ('superseded', 'cancelled') OR n.state_since >= %(ends)s)) THEN 'cancelled'
    WHEN (SELECT w.verdict FROM review_review w WHERE w.task_id = t.id AND w.at < %(ends)s
          ORDER BY w.at DESC, w.id DESC LIMIT 1) = 'rejected' THEN 'rejected'
    END"""
