-- The ledger of costs in FOCUS columns, in the order of posting.
SELECT e.posted_period, (e.posted_period + interval '1 month')::date, e.incurred_on, e.incurred_on + 1,
       e.amount, e.amount, %(currency)s,
       CASE WHEN e.kind IN ('charge', 'accrual', 'labour') THEN 'Usage' WHEN e.kind = 'supplier_credit' THEN 'Credit'
            ELSE 'Adjustment' END,
       CASE WHEN e.correction THEN 'Correction' END, e.description,
       CASE WHEN e.sub_bucket = 'platform' THEN 'Recurring' WHEN e.kind IN ('charge', 'accrual') THEN 'Usage-Based'
            ELSE 'One-Time' END,
       d.number, s.name, coalesce(nullif(l.model, ''), e.details ->> 'model', e.sub_bucket),
       nullif(coalesce(nullif(l.model, ''), e.details ->> 'model', ''), ''),
       nullif(coalesce(nullif(l.unit, ''), e.details ->> 'unit', ''), ''),
       l.units, nullif(l.unit, ''), coalesce(l.units, CASE WHEN e.details ->> 'quantity' ~ '^-?[0-9]+(\.[0-9]+)?$'
                                                                   THEN (e.details ->> 'quantity')::numeric END),
       nullif(coalesce(nullif(l.unit, ''), e.details ->> 'unit', ''), ''),
       'REQ-' || nullif(l.request_id, ''), %(project_code)s, r.method,
       jsonb_strip_nulls(jsonb_build_object('product', p.code, 'locale', t.locale, 'purpose', t.purpose,
                                            'input_version', v.number))::text,
       'CE-' || e.seq, e.kind, e.bucket, e.cause, e.bearer, e.grade, 'TSK-' || t.uuid, 'ATT-' || y.token,
       'AST-' || a.uuid, e.origin_period, 'CE-' || back.seq, 'CE-' || former.seq, 'APR-' || ap.uuid,
       e.fx_rate, e.fx_date, nullif(e.fx_source, ''), 'TERMS-' || terms.number,
       'sha256:' || nullif(e.prev_hash, ''), 'sha256:' || e.hash
FROM billing_costentry e
LEFT JOIN billing_supplierdocument d ON d.id = e.document_id
LEFT JOIN billing_supplier s ON s.id = d.supplier_id
LEFT JOIN billing_supplierline l ON l.id = e.supplier_line_id
LEFT JOIN billing_allocationrun r ON r.id = e.allocation_run_id
LEFT JOIN ledger_task t ON t.id = {task_of}
LEFT JOIN ledger_product p ON p.id = t.product_id
LEFT JOIN ledger_inputversion v ON v.id = t.input_version_id
LEFT JOIN ledger_attempt y ON y.id = e.attempt_id
LEFT JOIN review_asset a ON a.id = e.asset_id
LEFT JOIN billing_costentry back ON back.id = e.reverses_id
LEFT JOIN billing_costentry former ON former.id = e.corrects_id
LEFT JOIN reconciliation_approval ap ON ap.id = e.approval_id
LEFT JOIN billing_terms terms ON terms.id = e.terms_id
WHERE {where}
ORDER BY e.seq
