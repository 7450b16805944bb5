-- One row a task that costs or units of the scope belong to, one a supplier's line that belongs to no task.
-- What stands in braces are the conditions of billing/reports/selecting.py and standing.py; task 0 and line 0 are none.
WITH costs AS MATERIALIZED (
    SELECT coalesce({task_of}, 0) AS task_id,
           CASE WHEN {task_of} IS NULL THEN coalesce(e.supplier_line_id, 0) ELSE 0 END AS line_id,
           sum(e.amount) AS direct,
           coalesce(sum(e.amount) FILTER (WHERE e.sub_bucket = 'platform'), 0) AS platform,
           coalesce(sum(e.amount) FILTER (WHERE e.sub_bucket = 'orchestration'), 0) AS orchestration,
           coalesce(sum(e.amount) FILTER (WHERE e.sub_bucket = 'generation'), 0) AS generation,
           coalesce(sum(e.amount) FILTER (WHERE e.sub_bucket = 'storage'), 0) AS storage,
           coalesce(sum(e.amount) FILTER (WHERE e.sub_bucket = 'other'), 0) AS other,
           coalesce(sum(e.amount) FILTER (WHERE e.bucket = 'R'), 0) AS recovery,
           coalesce(sum(e.amount) FILTER (WHERE e.tax_treatment = 'non_recoverable'), 0) AS tax_kept,
           coalesce(sum(e.amount) FILTER (WHERE e.bearer = 'client'), 0) AS client,
           coalesce(sum(e.amount) FILTER (WHERE e.bearer = 'vendor'), 0) AS vendor,
           coalesce(sum(e.amount) FILTER (WHERE e.bearer = 'provider'), 0) AS provider,
           coalesce(sum(e.amount) FILTER (WHERE e.bearer = 'undetermined'), 0) AS undetermined,
           coalesce(sum(e.amount) FILTER (WHERE e.grade = 'A'), 0) AS grade_a,
           coalesce(sum(e.amount) FILTER (WHERE e.grade = 'B'), 0) AS grade_b,
           coalesce(sum(e.amount) FILTER (WHERE e.grade IN ('D', 'E')), 0) AS estimated,
           coalesce(sum(e.amount) FILTER (WHERE e.correction), 0) AS corrections,
           sum(e.tax_memo) AS tax_memo
    FROM billing_costentry e WHERE {entries} AND {cost} GROUP BY 1, 2
), evidence AS (
    SELECT coalesce({task_of}, 0) AS task_id,
           CASE WHEN {task_of} IS NULL THEN coalesce(e.supplier_line_id, 0) ELSE 0 END AS line_id,
           string_agg(DISTINCT e.native_currency || ' ' || e.fx_rate || ' ' || e.fx_date, '; ') AS rates,
           string_agg(DISTINCT d.number, '; ') AS documents,
           string_agg(DISTINCT 'REQ-' || nullif(l.request_id, ''), '; ') AS requests
    FROM billing_costentry e
    LEFT JOIN billing_supplierdocument d ON d.id = e.document_id
    LEFT JOIN billing_supplierline l ON l.id = e.supplier_line_id
    WHERE {entries} AND {cost} AND (e.fx_rate IS NOT NULL OR e.document_id IS NOT NULL) GROUP BY 1, 2
), causes AS (
    SELECT c.task_id, count(DISTINCT c.attempt_id) FILTER (WHERE c.cause = 'vendor_fault') AS rework,
           count(DISTINCT c.attempt_id) FILTER (WHERE c.cause <> 'vendor_fault') AS again
    FROM (
        SELECT {task_of} AS task_id, e.attempt_id, e.cause FROM billing_costentry e
        WHERE {all_entries} AND e.attempt_id IS NOT NULL
          AND e.cause IN ('vendor_fault', 'platform_retry', 'dedupe_miss')
        GROUP BY 1, 2, 3 HAVING sum(e.amount) <> 0
    ) c GROUP BY 1
), units AS (
    SELECT a.task_id,
           coalesce(sum(u.sign) FILTER (WHERE u.{month} >= %(first)s), 0) AS counted,
           coalesce(sum(u.sign) FILTER (WHERE u.{month} < %(first)s), 0) AS before,
           count(*) FILTER (WHERE u.{month} >= %(first)s) AS moved,
           (array_agg(u.asset_id ORDER BY u.seq DESC))[1] AS asset_id,
           (array_agg(u.reason ORDER BY u.seq DESC))[1] AS reason,
           (array_agg(u.survivor_id ORDER BY u.seq DESC) FILTER (WHERE u.reason = 'duplicate_found'))[1] AS survivor_id
    FROM billing_unitentry u JOIN review_asset a ON a.id = u.asset_id WHERE {units} GROUP BY 1
), found AS (
    SELECT coalesce(c.task_id, u.task_id) AS row_task, coalesce(c.line_id, 0) AS row_line, c.*,
           coalesce(c.direct, 0) AS amount, coalesce(u.counted, 0) AS counted, coalesce(u.before, 0) AS before,
           u.asset_id, u.reason, u.survivor_id
    FROM costs c FULL JOIN units u ON u.task_id = c.task_id
    WHERE c.task_id <> 0 OR u.moved > 0
       -- what was shared out to tasks leaves nothing behind
       OR (c.direct, c.client, c.vendor, c.provider, c.undetermined, c.tax_memo) <> (0, 0, 0, 0, 0, 0)
), typed AS (
    SELECT f.*, CASE
               WHEN f.row_task = 0 THEN 'unassigned'
               WHEN f.counted > 0 THEN 'counted'
               WHEN f.counted = 0 AND f.before > 0 THEN 'counted_before'
               WHEN f.reason = 'duplicate_found' THEN 'duplicate'
               ELSE coalesce({given_up}, 'open') END AS standing
    FROM found f LEFT JOIN ledger_task t ON t.id = f.row_task LEFT JOIN ledger_inputversion v ON v.id = t.input_version_id
), weighted AS (
    SELECT y.*,
           CASE y.standing WHEN 'counted' THEN 'ASSET' WHEN 'counted_before' THEN 'POST_ACCEPTANCE_ADJUSTMENT'
               WHEN 'open' THEN 'WIP' ELSE 'NON_YIELD' END AS row_type,
           CASE WHEN y.standing = 'counted' THEN {weight} ELSE 0 END AS weight
    FROM typed y
), pooled AS (
    SELECT w.*, sum(w.weight) OVER () AS weights,
           coalesce(sum(w.amount) FILTER (WHERE w.row_type = 'NON_YIELD') OVER (), 0) AS pool
    FROM weighted w
), floored AS (
    SELECT p.*, CASE WHEN p.weight > 0 THEN div(div(abs(p.pool), %(quantum)s) * p.weight, p.weights) ELSE 0 END AS floor,
           CASE WHEN p.weight > 0 THEN mod(div(abs(p.pool), %(quantum)s) * p.weight, p.weights) ELSE -1 END AS fraction
    FROM pooled p
), shared AS (
    SELECT l.*, row_number() OVER (ORDER BY l.fraction DESC, l.row_task, l.row_line) AS place,
           div(abs(l.pool), %(quantum)s) - sum(l.floor) OVER () AS left_over
    FROM floored l
), absorbed AS (
    SELECT s.*, CASE
               WHEN s.row_type = 'NON_YIELD' THEN -s.amount
               WHEN s.weight > 0 THEN sign(s.pool) * (
                   (s.floor + CASE WHEN s.place <= s.left_over THEN 1 ELSE 0 END) * %(quantum)s
                   + CASE WHEN s.place = 1 THEN mod(abs(s.pool), %(quantum)s) ELSE 0 END)
               ELSE 0 END AS absorbed
    FROM shared s
)
SELECT r.row_type, 'AST-' || a.uuid, 'TSK-' || t.uuid, p.name, p.code, t.locale, t.purpose, v.number, 'CRQ-' || t.uuid,
       r.standing, r.counted, a.accepted_at, coalesce(who.username, link.approver), 'AST-' || o.uuid,
       (SELECT 'TSK-' || nt.uuid FROM ledger_task nt JOIN ledger_inputversion nv ON nv.id = nt.input_version_id
        WHERE nt.product_id = t.product_id AND nt.locale = t.locale AND nt.purpose = t.purpose AND nv.number > v.number
          AND nt.created_at < %(ends)s ORDER BY nv.number LIMIT 1),
       (SELECT count(*) FROM ledger_action n JOIN ledger_attempt y ON y.action_id = n.id
        WHERE n.task_id = r.row_task AND y.intended_at < %(ends)s),
       coalesce(k.rework, 0), coalesce(k.again, 0),
       (SELECT count(*) FROM review_review w
        WHERE w.task_id = r.row_task AND w.verdict <> 'withdrawn' AND w.at < %(ends)s),
       coalesce(r.platform, 0), coalesce(r.orchestration, 0), coalesce(r.generation, 0), coalesce(r.storage, 0),
       coalesce(r.other, 0), coalesce(r.recovery, 0), coalesce(r.tax_kept, 0), r.amount, r.absorbed,
       r.amount + r.absorbed, coalesce(r.client, 0), coalesce(r.vendor, 0), coalesce(r.provider, 0),
       coalesce(r.undetermined, 0), round(100 * r.grade_a / nullif(r.amount, 0), 2),
       round(100 * r.grade_b / nullif(r.amount, 0), 2), round(100 * r.estimated / nullif(r.amount, 0), 2),
       %(currency)s, g.rates, g.documents, g.requests, coalesce(r.corrections, 0), coalesce(r.tax_memo, 0)
FROM absorbed r
LEFT JOIN ledger_task t ON t.id = r.row_task
LEFT JOIN ledger_product p ON p.id = t.product_id
LEFT JOIN ledger_inputversion v ON v.id = t.input_version_id
LEFT JOIN review_asset a ON a.id = r.asset_id
LEFT JOIN review_review said ON said.id = a.review_id
LEFT JOIN accounts_user who ON who.id = said.user_id
LEFT JOIN review_approvallink link ON link.id = said.link_id
LEFT JOIN review_asset o ON o.id = r.survivor_id
LEFT JOIN causes k ON k.task_id = r.row_task
LEFT JOIN evidence g ON g.task_id = r.row_task AND g.line_id = r.row_line
ORDER BY r.row_task = 0, r.row_task, r.row_line
