-- What was in work at the beginning and at the end of each span m, and what left it as what.
SELECT b.* FROM unnest(%(firsts)s::date[], %(lasts)s::date[], %(begin)s::timestamptz[], %(end)s::timestamptz[])
    WITH ORDINALITY m(first, last, begins, ends, number), LATERAL (
WITH costs AS (
    SELECT {task_of} AS task_id, coalesce(sum(e.amount) FILTER (WHERE e.{month} < %(first)s), 0) AS before,
           sum(e.amount) AS after
    FROM billing_costentry e WHERE {entries} AND {cost} GROUP BY 1
), units AS (
    SELECT a.task_id, coalesce(sum(u.sign) FILTER (WHERE u.{month} < %(first)s), 0) AS before, sum(u.sign) AS after,
           (array_agg(u.reason ORDER BY u.seq DESC) FILTER (WHERE u.{month} < %(first)s))[1] AS reason_before,
           (array_agg(u.reason ORDER BY u.seq DESC))[1] AS reason_after
    FROM billing_unitentry u JOIN review_asset a ON a.id = u.asset_id WHERE {units} GROUP BY 1
), typed AS (
    SELECT c.*,
           CASE WHEN c.task_id IS NULL THEN 'non_yield' WHEN u.before > 0 THEN 'asset'
                WHEN u.reason_before = 'duplicate_found' THEN 'non_yield'
                WHEN ({given_up_before}) IS NOT NULL THEN 'non_yield' ELSE 'open' END AS was,
           CASE WHEN c.task_id IS NULL THEN 'non_yield' WHEN u.after > 0 THEN 'asset'
                WHEN u.reason_after = 'duplicate_found' THEN 'non_yield'
                WHEN ({given_up}) IS NOT NULL THEN 'non_yield' ELSE 'open' END AS is_now
    FROM costs c
    LEFT JOIN units u ON u.task_id = c.task_id
    LEFT JOIN ledger_task t ON t.id = c.task_id
    LEFT JOIN ledger_inputversion v ON v.id = t.input_version_id
), released AS (
    SELECT y.*, CASE WHEN y.is_now = 'open' THEN y.was ELSE y.is_now END AS as_what,
           CASE WHEN y.is_now <> 'open' THEN y.after ELSE 0 END
           - CASE WHEN y.was <> 'open' THEN y.before ELSE 0 END AS amount
    FROM typed y
)
SELECT coalesce(sum(before) FILTER (WHERE was = 'open'), 0), coalesce(sum(after - before), 0),
       coalesce(sum(amount) FILTER (WHERE as_what = 'asset'), 0),
       coalesce(sum(amount) FILTER (WHERE as_what = 'non_yield'), 0),
       coalesce(sum(after) FILTER (WHERE is_now = 'open'), 0),
       (SELECT coalesce(sum(n.after - n.before), 0)::bigint FROM units n)
FROM released
) b ORDER BY m.number
