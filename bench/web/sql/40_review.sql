-- Drafts as they were read, what people decided, and the assets that followed. The newest wait.
INSERT INTO review_draft (id, content, content_hash, version, status, url, first_read_at, read_at, action_id, project_id)
SELECT id, jsonb_build_object('title', 'Page ' || id, 'body', '<p>' || repeat('Keeps the water warm for half an hour. ', 8) || '</p>'),
    md5(id::text), '1', 'draft', '', sent_at + interval '1 hour', sent_at + interval '1 hour', id, project_id
FROM seed_action WHERE state = 'confirmed' AND slot = 0 ORDER BY id;

INSERT INTO review_review (id, uuid, verdict, reasons, text, at, draft_id, project_id, task_id, user_id)
SELECT s.id, gen_random_uuid(),
    CASE WHEN pg_temp.roll(s.id, 9, 100) < 95 THEN 'accepted' WHEN pg_temp.roll(s.id, 9, 100) < 98 THEN 'changes' ELSE 'rejected' END,
    CASE WHEN pg_temp.roll(s.id, 9, 100) < 95 THEN '[]' ELSE '["tone"]' END::jsonb, '', s.sent_at + interval '2 hours', s.id, s.project_id,
    s.task_id, (SELECT min(user_id) FROM accounts_membership m WHERE m.project_id = s.project_id AND role = 'marketing_lead')
FROM seed_action s
WHERE state = 'confirmed' AND slot = 0 AND NOT fresh AND pg_temp.roll(s.id, 8, 100) < 95 ORDER BY s.id;

INSERT INTO review_asset (uuid, accepted_at, action_id, project_id, task_id, draft_id, review_id)
SELECT gen_random_uuid(), at, draft_id, project_id, task_id, draft_id, id FROM review_review WHERE verdict = 'accepted' ORDER BY id;

INSERT INTO review_comment (text, at, project_id, task_id, user_id)
SELECT 'Please check the litres.', at, project_id, task_id, user_id FROM review_review WHERE id % 20 = 0 ORDER BY id;

-- one in fifty was changed at its target after the decision, and read again
INSERT INTO review_draft (id, content, content_hash, version, status, url, first_read_at, read_at, action_id, project_id)
SELECT 100000000 + d.id, jsonb_build_object('title', 'Page ' || d.id, 'body', '<p>Edited. ' || repeat('Keeps the water warm for an hour. ', 8) || '</p>'),
    md5('edited ' || d.id), '2', 'draft', '', r.at + interval '1 day', r.at + interval '1 day', d.action_id, d.project_id
FROM review_draft d JOIN review_review r ON r.draft_id = d.id WHERE pg_temp.roll(d.id, 10, 50) = 0 ORDER BY d.id;

ANALYZE review_draft;
ANALYZE review_review;
INSERT INTO review_visibledraft (task_id, action_id, project_id, product_id, locale, purpose, state, since, latest_id, review_id)
SELECT t.id, s.id, s.project_id, t.product_id, t.locale, t.purpose, once_review_state(r.verdict, r.draft_id, latest.id),
    coalesce(r.at, s.sent_at), latest.id, r.id
FROM seed_action s JOIN ledger_task t ON t.id = s.task_id
LEFT JOIN review_review r ON r.id = s.id
JOIN (SELECT action_id, max(id) AS id FROM review_draft GROUP BY action_id) latest ON latest.action_id = s.id
WHERE s.state = 'confirmed' AND s.slot = 0 ORDER BY s.id;

INSERT INTO review_seen (at, draft_id, project_id, task_id, user_id, changed)
SELECT r.at, r.draft_id, r.project_id, r.task_id, r.user_id, v.latest_id <> r.draft_id
FROM review_review r JOIN review_visibledraft v ON v.task_id = r.task_id WHERE r.id % 5 = 0 ORDER BY r.id;
