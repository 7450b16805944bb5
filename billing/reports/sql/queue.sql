-- What a person had to look at in these months: opened by their end, and not resolved before their beginning.
SELECT 'CASE-' || k.uuid, k.kind, k.opened_at, who.username, k.due_at,
       CASE WHEN k.resolved_at IS NOT NULL AND k.resolved_at <= k.due_at THEN 'MET'
            WHEN k.resolved_at IS NOT NULL THEN 'MISSED' WHEN k.paused_at IS NOT NULL THEN 'PAUSED'
            WHEN k.due_at < least(%(ends)s, statement_timestamp()) THEN 'OVERDUE' ELSE 'RUNNING' END,
       (SELECT coalesce(round(sum(extract(epoch FROM coalesce(p.answered_at, statement_timestamp()) - p.proposed_at)) / 60), 0)
        FROM reconciliation_approval p WHERE p.case_id = k.id AND p.by_client),
       (SELECT coalesce(sum(e.amount), 0) FROM billing_costentry e
        WHERE e.task_id = n.task_id AND e.bearer = 'undetermined' AND e.created_at <= %(as_of)s),
       nullif(k.resolution, ''),
       (SELECT string_agg('APR-' || p.uuid, '; ' ORDER BY p.id) FROM reconciliation_approval p
        WHERE p.case_id = k.id AND p.status = 'given'),
       (SELECT count(*) FROM reconciliation_caseevent v WHERE v.case_id = k.id AND v.kind = 'undone')
FROM reconciliation_case k
JOIN ledger_action n ON n.id = k.action_id
JOIN accounts_user who ON who.id = k.owner_id
WHERE k.project_id = %(project)s AND k.opened_at < %(ends)s
  AND (k.resolved_at IS NULL OR k.resolved_at >= %(begins)s) {tasks}
ORDER BY k.opened_at, k.id
