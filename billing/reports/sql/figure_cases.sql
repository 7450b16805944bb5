-- Uncertain cases that are open at the end of the months; cases that were decided in them. Ages in hours.
WITH open AS (
    SELECT k.id, extract(epoch FROM least(%(ends)s, statement_timestamp()) - k.opened_at) / 3600 AS age
    FROM reconciliation_case k JOIN ledger_action n ON n.id = k.action_id
    WHERE k.project_id = %(project)s AND k.kind = 'uncertain' AND k.opened_at < %(ends)s
      AND (k.resolved_at IS NULL OR k.resolved_at >= %(ends)s) {tasks}
), decided AS (
    SELECT k.id, k.kind, k.resolved_at <= k.due_at AS in_time,
           extract(epoch FROM k.resolved_at - k.opened_at) / 3600 AS took
    FROM reconciliation_case k JOIN ledger_action n ON n.id = k.action_id
    WHERE k.project_id = %(project)s AND k.resolved_at >= %(begins)s AND k.resolved_at < %(ends)s {tasks}
), acts AS (
    SELECT v.kind, v.case_id FROM reconciliation_caseevent v
    JOIN reconciliation_case k ON k.id = v.case_id JOIN ledger_action n ON n.id = k.action_id
    WHERE k.project_id = %(project)s AND v.at >= %(begins)s AND v.at < %(ends)s
      AND v.kind IN ('decided', 'undone') {tasks}
), pauses AS (
    SELECT extract(epoch FROM coalesce(p.answered_at, statement_timestamp()) - p.proposed_at) / 3600 AS took
    FROM reconciliation_approval p JOIN reconciliation_case k ON k.id = p.case_id
    JOIN ledger_action n ON n.id = k.action_id
    WHERE k.project_id = %(project)s AND p.by_client AND p.proposed_at >= %(begins)s AND p.proposed_at < %(ends)s {tasks}
)
SELECT (SELECT count(*) FROM open),
       (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) FROM open),
       (SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY age) FROM open), (SELECT max(age) FROM open),
       (SELECT count(*) FROM decided), (SELECT count(*) FROM decided WHERE in_time),
       (SELECT count(*) FROM decided WHERE kind = 'uncertain'),
       (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY took) FROM decided WHERE kind = 'uncertain'),
       (SELECT count(DISTINCT case_id) FROM acts WHERE kind = 'decided'),
       (SELECT count(DISTINCT case_id) FROM acts WHERE kind = 'undone'),
       (SELECT count(*) FROM pauses), (SELECT coalesce(sum(took), 0) FROM pauses)
