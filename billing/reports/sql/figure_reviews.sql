-- Tasks that were decided about for the first time in these months, and which of them were right at once.
WITH firsts AS (
    SELECT DISTINCT ON (w.task_id) w.task_id, w.verdict, w.at FROM review_review w
    WHERE w.project_id = %(project)s AND w.verdict <> 'withdrawn' AND w.at < %(ends)s {tasks}
    ORDER BY w.task_id, w.at, w.id
), decided AS (
    SELECT * FROM firsts WHERE at >= %(begins)s
)
SELECT count(*), count(*) FILTER (WHERE d.verdict = 'accepted'),
       count(*) FILTER (WHERE d.verdict = 'accepted' AND NOT EXISTS (
               SELECT FROM ledger_action n JOIN ledger_attempt y ON y.action_id = n.id
               WHERE n.task_id = d.task_id AND y.number > 1 AND y.intended_at < %(ends)s)
           AND NOT EXISTS (
               SELECT FROM billing_costentry e WHERE e.task_id = d.task_id AND e.bucket = 'R' AND e.{month} <= %(last)s
               HAVING sum(e.amount) <> 0)
           AND NOT EXISTS (
               SELECT FROM billing_unitentry u JOIN review_asset a ON a.id = u.asset_id
               WHERE a.task_id = d.task_id AND u.reason = 'duplicate_found' AND u.{month} <= %(last)s))
FROM decided d
