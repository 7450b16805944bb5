-- Every line of the suppliers' documents beside our attempt, then the usages for which no line has come.
-- A line of an organisation's document is the project's by its match alone.
SELECT d.number, l.number, 'REQ-' || nullif(l.request_id, ''), 'ATT-' || y.token, l.functional_amount, m.expected,
       l.functional_amount - m.expected,
       CASE coalesce(m.status, 'orphan') WHEN 'orphan' THEN 'ORPHAN_LINE' ELSE upper(m.status) END,
       nullif(m.claim, ''),
       CASE WHEN m.answered_at IS NULL AND coalesce(m.status, 'orphan') IN ('amount', 'date', 'ambiguous', 'orphan')
            THEN greatest((least(%(ends)s, statement_timestamp()) AT TIME ZONE %(zone)s)::date - d.dated, 0) END,
       who.username
FROM billing_supplierline l
JOIN billing_supplierdocument d ON d.id = l.document_id
LEFT JOIN billing_linematch m ON m.line_id = l.id
LEFT JOIN ledger_attempt y ON y.id = m.attempt_id
LEFT JOIN ledger_action n ON n.id = y.action_id
LEFT JOIN accounts_user who ON who.id = m.owner_id
WHERE (m.project_id = %(project)s OR (m.project_id IS NULL AND d.project_id = %(project)s))
  AND d.period >= %(first)s AND d.period <= %(last)s AND d.imported_at <= %(as_of)s {tasks}
UNION ALL
SELECT NULL, NULL, 'REQ-' || nullif(g.request_id, ''), 'ATT-' || y.token, NULL, e.expected, NULL, 'ORPHAN_ATTEMPT', NULL,
       greatest((least(%(ends)s, statement_timestamp()) AT TIME ZONE %(zone)s)::date - (g.used_at AT TIME ZONE %(zone)s)::date, 0), NULL
FROM billing_usage g
JOIN ledger_attempt y ON y.id = g.attempt_id
JOIN ledger_action n ON n.id = y.action_id
LEFT JOIN LATERAL (
    SELECT sum(c.amount) AS expected FROM billing_costentry c
    WHERE c.attempt_id = g.attempt_id AND c.kind IN ('accrual', 'accrual_release') AND c.created_at <= %(as_of)s
) e ON true
WHERE g.project_id = %(project)s AND NOT g.settled AND NOT g.replaced AND g.used_at >= %(begins)s AND g.used_at < %(ends)s {tasks}
ORDER BY 1 NULLS LAST, 2, 3
