-- Suppliers' lines that nobody has answered for, and how long closes took.
SELECT (SELECT count(*) FROM billing_supplierline l JOIN billing_supplierdocument d ON d.id = l.document_id
        LEFT JOIN billing_linematch m ON m.line_id = l.id
        WHERE (m.project_id = %(project)s OR (m.project_id IS NULL AND d.project_id = %(project)s))
          AND d.period >= %(first)s AND d.period <= %(last)s AND m.answered_at IS NULL
          AND coalesce(m.status, 'orphan') IN ('amount', 'date', 'ambiguous', 'orphan')),
       count(*), percentile_cont(0.5) WITHIN GROUP (
           ORDER BY (p.closed_at AT TIME ZONE %(zone)s)::date - (p.month + interval '1 month')::date)
FROM billing_period p
WHERE p.project_id = %(project)s AND p.status = 'closed' AND p.month >= %(first)s AND p.month <= %(last)s
