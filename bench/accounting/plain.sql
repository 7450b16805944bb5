-- The core of the report as one would write it by hand: each counted asset with its direct cost, by what for, and an
-- equal share of what yielded nothing; the rest as it stands. Life to date, posted. It knows of no work in progress.
WITH direct AS (
    SELECT task_id, sum(amount) AS direct,
           sum(amount) FILTER (WHERE sub_bucket = 'platform') AS platform,
           sum(amount) FILTER (WHERE sub_bucket = 'orchestration') AS orchestration,
           sum(amount) FILTER (WHERE sub_bucket = 'generation') AS generation,
           sum(amount) FILTER (WHERE sub_bucket = 'storage') AS storage,
           sum(amount) FILTER (WHERE sub_bucket = 'other') AS other,
           sum(amount) FILTER (WHERE bucket = 'R') AS recovery,
           sum(amount) FILTER (WHERE bearer = 'client') AS client
    FROM billing_costentry WHERE project_id = %(project)s AND kind <> 'fx_diff' GROUP BY task_id
), counted AS (
    SELECT a.task_id FROM billing_unitentry u JOIN review_asset a ON a.id = u.asset_id
    WHERE u.project_id = %(project)s GROUP BY a.task_id HAVING sum(u.sign) > 0
), shares AS (
    SELECT d.*, c.task_id IS NOT NULL AS counts,
           sum(d.direct) FILTER (WHERE c.task_id IS NULL) OVER () * 100 AS pool, count(c.task_id) OVER () AS n,
           row_number() OVER (PARTITION BY c.task_id IS NOT NULL ORDER BY d.task_id) AS place
    FROM direct d LEFT JOIN counted c ON c.task_id = d.task_id
)
SELECT t.uuid, p.code, t.locale, t.purpose, s.counts, s.platform, s.orchestration, s.generation, s.storage, s.other, s.recovery,
       s.client, s.direct,
       CASE WHEN s.counts THEN s.direct + (div(s.pool, s.n) + CASE WHEN s.place <= mod(s.pool, s.n) THEN 1 ELSE 0 END) / 100
            ELSE 0 END AS total
FROM shares s LEFT JOIN ledger_task t ON t.id = s.task_id LEFT JOIN ledger_product p ON p.id = t.product_id
ORDER BY s.task_id
