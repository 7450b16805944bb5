-- Pairs that were found to be duplicates, then attempts whose cost is a matter of settlement. What an asset cost stands in
-- the first of its pairs alone.
WITH asset_costs AS (
    SELECT {task_of} AS task_id, sum(e.amount) AS amount, string_agg(DISTINCT e.bearer, '+') AS bearer
    FROM billing_costentry e WHERE {entries} AND {cost}
      AND {task_of} IN (SELECT x.task_id FROM billing_duplicate q JOIN review_asset x ON x.id = q.asset_id
                        WHERE q.project_id = %(project)s)
    GROUP BY 1
)
SELECT * FROM (
    SELECT 'DUP-' || x.uuid || '-' || s.uuid AS item,
           (SELECT string_agg('ATT-' || y.token, '; ' ORDER BY y.id) FROM ledger_action n
                          JOIN ledger_attempt y ON y.action_id = n.id WHERE n.task_id = x.task_id),
           q.cause, who.username,
           coalesce(nullif(q.record, ''), CASE WHEN q.finding_id IS NOT NULL THEN 'FND-' || f.uuid END,
                    nullif(q.certain_by, '')),
           NULL::text,
           CASE row_number() OVER (PARTITION BY q.asset_id ORDER BY q.status = 'decided' DESC, q.status = 'wanted' DESC,
                                   q.decided_at DESC NULLS LAST, q.id)
               WHEN 1 THEN coalesce(c.amount, 0) ELSE 0 END,
           c.bearer, 'APR-' || ap.uuid, upper(q.status)
    FROM billing_duplicate q
    JOIN review_asset x ON x.id = q.asset_id
    JOIN review_asset s ON s.id = q.survivor_id
    LEFT JOIN asset_costs c ON c.task_id = x.task_id
    LEFT JOIN accounts_user who ON who.id = q.decided_by_id
    LEFT JOIN reconciliation_finding f ON f.id = q.finding_id
    LEFT JOIN reconciliation_approval ap ON ap.id = q.approval_id
    WHERE q.project_id = %(project)s AND q.found_at < %(ends)s
      AND (q.found_at >= %(begins)s OR c.task_id IS NOT NULL) {tasks}
    UNION ALL
    SELECT coalesce('CASE-' || k.uuid, 'TSK-' || t.uuid, 'LINE-' || d.number || '-' || l.number, 'NONE-0'),
           'ATT-' || y.token, e.cause, k_who.username, max(e.source_key),
           d.number || '#' || l.number, sum(e.amount), e.bearer, max('APR-' || ap.uuid),
           CASE WHEN e.bearer = 'undetermined' THEN 'UNSETTLED' WHEN e.bearer = 'provider' THEN 'CLAIM'
                WHEN bool_or(e.grade IN ('A', 'B')) THEN 'SETTLED' ELSE 'ACCRUED' END
    FROM billing_costentry e
    LEFT JOIN ledger_task t ON t.id = {task_of}
    LEFT JOIN ledger_attempt y ON y.id = e.attempt_id
    LEFT JOIN reconciliation_case k ON k.id = e.case_id
    LEFT JOIN accounts_user k_who ON k_who.id = k.resolved_by_id
    LEFT JOIN billing_supplierline l ON l.id = e.supplier_line_id
    LEFT JOIN billing_supplierdocument d ON d.id = l.document_id
    LEFT JOIN reconciliation_approval ap ON ap.id = e.approval_id
    WHERE {entries} AND {cost} AND (e.bearer IN ('undetermined', 'provider') OR e.cause IN (
        'platform_retry', 'dedupe_miss', 'provider_double_bill', 'client_confirmed_repeat'))
    GROUP BY k.uuid, t.uuid, d.number, l.number, y.token, e.cause, k_who.username, e.bearer
    HAVING sum(e.amount) <> 0
) found
ORDER BY item
