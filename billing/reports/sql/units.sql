-- The ledger of units in the order of posting.
SELECT 'UE-' || u.seq, u.sign, u.reason, 'AST-' || a.uuid, 'AST-' || o.uuid, u.posted_period, u.origin_period, u.actor,
       'APR-' || ap.uuid, CASE WHEN u.evidence <> '{{}}' THEN u.evidence::text END, 'sha256:' || u.hash
FROM billing_unitentry u
JOIN review_asset a ON a.id = u.asset_id
LEFT JOIN review_asset o ON o.id = u.survivor_id
LEFT JOIN reconciliation_approval ap ON ap.id = u.approval_id
WHERE {where}
ORDER BY u.seq
