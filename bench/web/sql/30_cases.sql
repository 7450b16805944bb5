-- Cases with what people did, findings of audits, decisions. One case in ten is open, as is one finding in twenty.
CREATE TEMP TABLE seed_case AS
WITH many AS (SELECT actions / 20 AS cases, actions / 200 AS still_open FROM seed_size),
still_open AS (
    SELECT id, project_id, state, sent_at, roll, 'open' AS status, row_number() OVER (ORDER BY state, id DESC) AS n
    FROM seed_action WHERE state IN ('reconcile', 'refused')
), resolved AS (
    SELECT id, project_id, state, sent_at, roll, 'resolved' AS status, row_number() OVER (ORDER BY id) AS n
    FROM seed_action WHERE state = 'confirmed' AND pg_temp.roll(id, 7, 1000) < 55
)
SELECT row_number() OVER (ORDER BY sent_at) AS id, c.id AS action_id, project_id, state, status, sent_at, roll
FROM (SELECT * FROM still_open, many WHERE n <= many.still_open
      UNION ALL SELECT * FROM resolved, many WHERE n <= cases - many.still_open) c;
ALTER TABLE seed_case ADD COLUMN owner_id bigint, ADD COLUMN opened_at timestamptz;
UPDATE seed_case c SET
    owner_id = (ARRAY(SELECT user_id FROM accounts_membership m WHERE m.project_id = c.project_id AND role IN ('ops_owner', 'admin')
                      ORDER BY user_id))[1 + id % 2],
    opened_at = CASE status WHEN 'open' THEN now() - (id * 7919 % 7200) * interval '1 minute' ELSE sent_at + interval '30 minutes' END;

INSERT INTO reconciliation_case (id, uuid, kind, reason, status, opened_at, due_at, resolved_at, resolution, action_id, owner_id,
    project_id, resolved_by_id, paused_at, revision, snoozed_until, told_percent)
SELECT id, gen_random_uuid(), CASE WHEN state = 'refused' THEN 'refused' WHEN state = 'reconcile' THEN 'uncertain'
        WHEN roll % 9 = 0 THEN 'stuck' ELSE 'uncertain' END,
    CASE state WHEN 'refused' THEN 'target-refused' ELSE 'looks-alike' END, status, opened_at, opened_at + interval '8 hours',
    CASE status WHEN 'resolved' THEN opened_at + interval '3 hours' END, CASE status WHEN 'resolved' THEN 'adopt' ELSE '' END, action_id,
    owner_id, project_id, CASE status WHEN 'resolved' THEN owner_id END,
    CASE WHEN status = 'open' AND id % 20 = 3 THEN opened_at + interval '1 hour' END, 2,
    CASE WHEN status = 'open' AND id % 20 = 4 THEN now() + interval '1 day' END, 50
FROM seed_case ORDER BY id;

INSERT INTO reconciliation_caseevent (kind, text, data, at, case_id, project_id, user_id)
SELECT kind, CASE kind WHEN 'commented' THEN 'Asked the shop.' ELSE '' END, '{}', opened_at + n * interval '10 minutes', id, project_id,
    CASE WHEN n > 1 THEN owner_id END
FROM seed_case, unnest(ARRAY['opened', 'commented', 'told', 'decided']) WITH ORDINALITY AS e(kind, n)
WHERE status = 'resolved' OR n < 4 ORDER BY id, n;
-- one case that people talked about at length
INSERT INTO reconciliation_caseevent (kind, text, data, at, case_id, project_id, user_id)
SELECT 'commented', repeat('Asked the shop again. ', 10), '{}', opened_at + n * interval '1 minute', id, project_id, owner_id
FROM (SELECT * FROM seed_case WHERE status = 'open' ORDER BY (state = 'reconcile') DESC, project_id, id LIMIT 1) c, generate_series(1, 300) n;

INSERT INTO reconciliation_timespan (began_at, seen_at, ended_at, case_id, project_id, user_id)
SELECT opened_at + interval '1 hour', opened_at + interval '65 minutes', opened_at + interval '65 minutes', id, project_id, owner_id
FROM seed_case ORDER BY id;

INSERT INTO reconciliation_approval (uuid, decision, result_id, by_client, words, action_revision, status, proposed_at, answered_at,
    answer_words, answered_by_id, case_id, project_id, proposed_by_id)
SELECT gen_random_uuid(), 'absent', '', false, 'It is not there.', 3, CASE status WHEN 'open' THEN 'asked' ELSE 'given' END,
    opened_at + interval '20 minutes', CASE status WHEN 'resolved' THEN opened_at + interval '1 hour' END, '',
    CASE status WHEN 'resolved' THEN (SELECT min(user_id) FROM accounts_membership m
        WHERE m.project_id = c.project_id AND role = 'admin') END,
    id, project_id, (SELECT min(user_id) FROM accounts_membership m WHERE m.project_id = c.project_id AND role = 'ops_owner')
FROM seed_case c WHERE id % 20 = 0 AND (status = 'resolved' OR state = 'reconcile') ORDER BY id;

INSERT INTO reconciliation_bulkdecision (uuid, decision, status, items, excluded, done, created_at, began_at, finished_at, project_id, user_id)
SELECT gen_random_uuid(), 'retry', 'done',
    (SELECT coalesce(jsonb_agg(jsonb_build_object('case', k.uuid, 'revision', 2, 'outcome', 'decided', 'why', '', 'result_id', '')), '[]')
     FROM (SELECT uuid FROM reconciliation_case k WHERE k.project_id = m.project_id AND k.status = 'resolved' ORDER BY id LIMIT 500) k),
    '[]', 500, now() - interval '3 days', now() - interval '3 days', now() - interval '3 days' + interval '5 minutes', m.project_id, m.user_id
FROM accounts_membership m WHERE role = 'ops_owner';

INSERT INTO ledger_run (id, uuid, kind, external_id, status, process, started_at, finished_at, summary, project_id)
SELECT 2000000 + row_number() OVER (ORDER BY n, t.id), gen_random_uuid(), 'audit', '', 'finished', 'worker', now() - n * interval '1 day',
    now() - n * interval '1 day' + interval '20 minutes', '{}', t.project_id
FROM targets_target t, generate_series(200, 1, -1) n;
INSERT INTO reconciliation_audit (uuid, status, scope, code, started_at, finished_at, counts, project_id, run_id, target_id, progress)
SELECT gen_random_uuid(), 'complete', 'everything', '', now() - n * interval '1 day', now() - n * interval '1 day' + interval '20 minutes',
    '{"objects": 400000, "ours": 390000, "duplicate": 4, "orphan": 3, "missing": 2}', t.project_id,
    2000000 + row_number() OVER (ORDER BY n DESC, t.id), t.id, '{}'
FROM targets_target t, generate_series(200, 1, -1) n;

INSERT INTO reconciliation_finding (uuid, kind, marker, evidence, found_at, action_id, audit_id, project_id, target_id, over_at)
SELECT gen_random_uuid(), (ARRAY['missing', 'changed', 'trashed', 'duplicate'])[1 + s.roll % 4], 'once-' || left(md5(s.id::text), 26),
    jsonb_build_object('held', jsonb_build_array(jsonb_build_object('result_id', 'obj-' || s.id, 'title', 'Page', 'status', 'draft'))),
    a.started_at + interval '19 minutes', s.id, a.id, s.project_id, s.target_id,
    CASE WHEN s.id % 20 > 0 THEN a.started_at + interval '1 day' END
FROM seed_action s
JOIN LATERAL (
    SELECT id, started_at FROM reconciliation_audit a
    WHERE a.target_id = s.target_id AND a.started_at > s.at ORDER BY a.started_at LIMIT 1
) a ON true
WHERE s.state = 'confirmed' AND s.id % 9 < 2 ORDER BY a.started_at, s.id;
