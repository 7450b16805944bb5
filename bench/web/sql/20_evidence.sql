-- Runs, and what each action left behind.
INSERT INTO ledger_run (id, uuid, kind, external_id, status, process, started_at, finished_at, summary, batch_id, project_id)
SELECT (s.b - 1) * 3 + k, gen_random_uuid(), CASE k WHEN 1 THEN 'first' ELSE 'resume' END, 'n8n-' || s.b * 10 + k,
    CASE WHEN s.fresh AND k = 3 THEN 'running' WHEN k = 1 THEN 'failed' ELSE 'finished' END, 'worker-' || k,
    s.at + k * interval '1 hour', CASE WHEN s.fresh AND k = 3 THEN NULL ELSE s.at + k * interval '1 hour' + interval '40 minutes' END,
    jsonb_build_object('before', jsonb_build_object('perform', s.size), 'after', jsonb_build_object('person', 5)), s.b, s.project_id
FROM seed_batch s, generate_series(1, 3) k;
-- runs of workers belong to no batch
INSERT INTO ledger_run (id, uuid, kind, external_id, status, process, started_at, finished_at, summary, project_id)
SELECT 1000000 + n, gen_random_uuid(), 'worker', '', 'finished', 'worker', now() - n * interval '5 hours', now() - n * interval '5 hours' + interval '1 hour',
    '{}', (SELECT id FROM accounts_project ORDER BY id OFFSET n % 5 LIMIT 1)
FROM generate_series(1, 1000) n;

INSERT INTO ledger_attempt (id, token, number, replay, key_generation, sender, intended_at, lease_until, action_id, project_id, run_id)
SELECT id, gen_random_uuid(), 1, false, 1, 'worker-1', sent_at, sent_at + interval '1 minute', id, project_id, (b - 1) * 3 + 1
FROM seed_action WHERE state NOT IN ('planned', 'superseded', 'cancelled') ORDER BY id;
INSERT INTO ledger_attempt (id, token, number, replay, key_generation, sender, intended_at, lease_until, action_id, project_id, run_id)
SELECT 100000000 + id, gen_random_uuid(), 2, false, 1, 'worker-2', sent_at + interval '1 hour', sent_at + interval '1 hour 1 minute', id,
    project_id, (b - 1) * 3 + 2
FROM seed_action WHERE state NOT IN ('planned', 'superseded', 'cancelled') AND roll % 33 = 0 ORDER BY id;

INSERT INTO ledger_receipt (outcome, code, result_id, result_url, marker, http_status, detail, excerpt, usage, late, received_at,
    action_id, attempt_id, project_id)
SELECT CASE state WHEN 'confirmed' THEN 'done' WHEN 'accepted' THEN 'accepted' WHEN 'refused' THEN 'refused' ELSE 'unknown' END,
    CASE state WHEN 'refused' THEN 'http-422' WHEN 'confirmed' THEN 'done' ELSE 'reset' END,
    CASE WHEN state IN ('confirmed', 'accepted') THEN 'obj-' || s.id ELSE '' END, '', NULL,
    CASE state WHEN 'refused' THEN 422 WHEN 'confirmed' THEN 201 END, '', '', '{}', false, t.intended_at + interval '2 seconds',
    s.id, t.id, s.project_id
FROM ledger_attempt t JOIN seed_action s ON s.id = t.action_id WHERE state <> 'sending' ORDER BY t.intended_at;

INSERT INTO ledger_observation (verdict, method, complete, proves_absence, code, objects_seen, candidates, detail, looked_at, recorded_at,
    action_id, project_id, run_id)
SELECT CASE state WHEN 'confirmed' THEN 'found' ELSE 'absent' END, 'marker+likeness', true, false, '', '[]',
    CASE state WHEN 'reconcile' THEN jsonb_build_array(
        jsonb_build_object('result_id', 'obj-' || id, 'title', 'Page ' || id, 'status', 'draft', 'body', '<p>Keeps the water warm.</p>'),
        jsonb_build_object('result_id', 'obj-9' || id, 'title', 'Page', 'status', 'draft')) ELSE '[]' END,
    '', sent_at + k * interval '10 minutes', sent_at + k * interval '10 minutes', id, project_id, (b - 1) * 3 + 2
FROM seed_action, generate_series(1, 2) k
WHERE state IN ('uncertain', 'reconcile') OR (state = 'confirmed' AND roll % 20 = 7 AND k = 1) ORDER BY sent_at;

INSERT INTO ledger_event (kind, revision, from_state, to_state, reason, actor, data, at, action_id, project_id, run_id)
SELECT 'requested', 0, '', 'planned', 'requested', 'system:request', '{}', at, id, project_id, NULL FROM seed_action ORDER BY id;
INSERT INTO ledger_event (kind, revision, from_state, to_state, reason, actor, data, at, action_id, project_id, run_id)
SELECT 'moved', 1, 'planned', CASE WHEN state IN ('superseded', 'cancelled') THEN state ELSE 'sending' END, 'claimed', 'worker', '{}',
    sent_at, id, project_id, (b - 1) * 3 + 1
FROM seed_action WHERE state <> 'planned' ORDER BY id;
INSERT INTO ledger_event (kind, revision, from_state, to_state, reason, actor, data, at, action_id, project_id, run_id)
SELECT 'moved', 2, 'sending', CASE state WHEN 'reconcile' THEN 'uncertain' ELSE state END, 'answered', 'worker', '{}',
    sent_at + interval '2 seconds', id, project_id, (b - 1) * 3 + 1
FROM seed_action WHERE state IN ('confirmed', 'accepted', 'refused', 'uncertain', 'reconcile') ORDER BY id;
INSERT INTO ledger_event (kind, revision, from_state, to_state, reason, actor, data, at, action_id, project_id, run_id)
SELECT 'moved', 3, 'uncertain', 'reconcile', 'looks-alike', 'worker', '{}', sent_at + interval '20 minutes', id, project_id, (b - 1) * 3 + 2
FROM seed_action WHERE state = 'reconcile' ORDER BY id;
