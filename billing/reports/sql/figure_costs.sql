-- Parts of N that no grouping gives, and what attempts were estimated at beside what they cost.
WITH entries AS (SELECT e.*, {task_of} AS its_task FROM billing_costentry e WHERE {entries} AND {cost}),
twice AS (
    SELECT DISTINCT a.task_id FROM billing_unitentry u JOIN review_asset a ON a.id = u.asset_id
    WHERE {units} AND u.reason = 'duplicate_found'
), counted AS (
    SELECT a.task_id FROM billing_unitentry u JOIN review_asset a ON a.id = u.asset_id
    WHERE {units} GROUP BY 1 HAVING sum(u.sign) > 0
), compared AS (
    SELECT sum(amount) FILTER (WHERE kind = 'accrual') AS estimate,
           sum(amount) FILTER (WHERE kind = 'charge' AND grade = 'A') AS actual
    FROM entries WHERE attempt_id IS NOT NULL GROUP BY attempt_id
    HAVING count(*) FILTER (WHERE kind = 'accrual') > 0 AND count(*) FILTER (WHERE kind = 'charge' AND grade = 'A') > 0
)
SELECT (SELECT coalesce(sum(amount), 0) FROM entries WHERE bucket = 'R'
        OR cause IN ('vendor_fault', 'platform_retry', 'provider_double_bill')),
       (SELECT coalesce(sum(amount), 0) FROM entries WHERE its_task IN (SELECT task_id FROM twice)),
       (SELECT coalesce(sum(amount), 0) FROM entries WHERE posted_period > origin_period),
       (SELECT count(*) FROM entries WHERE posted_period > origin_period),
       (SELECT count(*) FROM billing_unitentry u JOIN review_asset a ON a.id = u.asset_id
        WHERE {units} AND u.reason = 'duplicate_found'),
       (SELECT count(*) FROM billing_unitentry u JOIN review_asset a ON a.id = u.asset_id
        WHERE {units} AND u.reason = 'accepted'),
       (SELECT count(*) FROM counted),
       (SELECT count(*) FROM counted c JOIN ledger_action n ON n.task_id = c.task_id
        JOIN ledger_attempt y ON y.action_id = n.id WHERE y.intended_at < %(ends)s),
       (SELECT coalesce(sum(estimate), 0) FROM compared), (SELECT coalesce(sum(actual), 0) FROM compared),
       (SELECT count(*) FROM compared)
