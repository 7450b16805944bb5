CREATE OR REPLACE FUNCTION once_visible_draft(of_task bigint)
RETURNS TABLE (action_id bigint, confirmed_at timestamptz, review_id bigint, decided_at timestamptz, latest_id bigint, state text)
LANGUAGE sql STABLE ROWS 1 AS $$
    SELECT first.id, first.confirmed_at, decided.id, decided.at, latest.id,
           once_review_state(decided.verdict, decided.draft_id, latest.id)
    FROM (
        SELECT a.id, a.confirmed_at FROM ledger_action a
        WHERE a.task_id = of_task AND a.kind = 'create_draft' AND a.state = 'confirmed' ORDER BY a.id LIMIT 1
    ) first
    LEFT JOIN LATERAL (
        SELECT r.id, r.verdict, r.draft_id, r.at FROM review_review r WHERE r.task_id = of_task
        ORDER BY r.at DESC, r.id DESC LIMIT 1
    ) decided ON true
    LEFT JOIN LATERAL (
        SELECT d.id FROM review_draft d WHERE d.action_id = first.id ORDER BY d.read_at DESC, d.id DESC LIMIT 1
    ) latest ON true
    WHERE NOT EXISTS (SELECT FROM ledger_action n WHERE n.original_id = first.id AND n.state = 'confirmed')
$$;

SELECT count(*) FROM (
    SELECT once_show_draft(a.task_id, min(a.confirmed_at)) FROM ledger_action a
    JOIN targets_target t ON t.id = a.target_id
    WHERE t.of_drill AND a.kind = 'create_draft' AND a.state = 'confirmed' GROUP BY a.task_id
) shown;
