-- What else the house keeps: notices, probes, errands, drills.
INSERT INTO notices_message (uuid, channel, address, event, subject, text, data, created_at, next_try_at, tries, sent_at, given_up_at,
    error, project_id, text_sealed)
SELECT gen_random_uuid(), 'email', 'ops@shop.example', 'case.opened', 'A case was opened', 'A case was opened.', '{}', c.opened_at,
    CASE WHEN c.id % 1000 = 1 THEN now() END, 1, CASE WHEN c.id % 1000 > 2 OR c.id % 1000 = 0 THEN c.opened_at END,
    CASE WHEN c.id % 1000 = 2 THEN c.opened_at END, '', c.project_id, ''
FROM seed_case c ORDER BY c.opened_at;

INSERT INTO drill_drill (uuid, status, started_at, finished_at, report, project_id, options, trouble)
SELECT gen_random_uuid(), 'passed', now() - n * interval '3 days', now() - n * interval '3 days' + interval '2 minutes', '{"rounds": []}', p.id,
    '{}', '{}'
FROM accounts_project p, generate_series(60, 1, -1) n;

INSERT INTO targets_errand (uuid, kind, options, status, asked_at, woken_at, taken_at, ended_at, result, trouble, target_id)
SELECT gen_random_uuid(), 'check', '{}', 'done', now() - n * interval '1 day', now() - n * interval '1 day', now() - n * interval '1 day',
    now() - n * interval '1 day', '[]', '{}', t.id
FROM targets_target t, generate_series(200, 1, -1) n;

INSERT INTO targets_probe (uuid, profile_data, settings_hash, status, started_at, finished_at, target_id, kind)
SELECT gen_random_uuid(), profile_data, '', 'finished', now() - n * interval '7 days', now() - n * interval '7 days', t.id, 'create_draft'
FROM targets_target t, generate_series(30, 1, -1) n;

INSERT INTO ledger_gate (failures, opened, tokens, target_id) SELECT 0, 0, 1, id FROM targets_target ON CONFLICT DO NOTHING;
