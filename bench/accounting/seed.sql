-- Tasks of 24 months with what came of them, without triggers; the costs are posted through the house's own service.
-- Needs the table seed_size (tasks, project_id, user_id, target_id).
INSERT INTO ledger_product (id, code, name, project_id)
SELECT p, 'P' || p, 'Product ' || p, project_id FROM seed_size, generate_series(1, greatest(tasks / 20, 1)) p;

INSERT INTO ledger_inputversion (id, number, content, fingerprint, approved_by, approved_at, created_at, project_id, product_id)
SELECT id, 1, '{"text": "brief"}', md5(id::text), 'marketing', '2023-12-20', '2023-12-20', project_id, id FROM ledger_product;

CREATE TEMP TABLE seed_task AS
SELECT i AS id, 1 + i / 20 % greatest(tasks / 20, 1) AS product_id, i % 20 AS place,
       timestamptz '2024-01-10 08:00+08' + (i % 24) * interval '1 month' + (i % 10) * interval '1 day' AS at
FROM seed_size, generate_series(0, tasks - 1) i;

INSERT INTO ledger_task (id, uuid, locale, purpose, created_at, input_version_id, product_id, project_id)
SELECT s.id + 1, gen_random_uuid(), (ARRAY['en-US', 'de-DE', 'fr-FR', 'it-IT', 'ja-JP'])[1 + place % 5],
       'page-' || place / 5 || '-' || s.id / (20 * greatest(tasks / 20, 1)), at, product_id, product_id, project_id
FROM seed_task s, seed_size;

INSERT INTO ledger_batch (id, uuid, name, source_name, source_sha256, created_at, project_id)
SELECT b, gen_random_uuid(), 'Batch ' || b, '', '', '2024-01-01', project_id
FROM seed_size, generate_series(1, tasks / 1000 + 1) b;
INSERT INTO ledger_batchtask (batch_id, task_id, existed, repeats, position)
SELECT 1 + id / 1000, id + 1, false, 0, id % 1000 FROM seed_task;

INSERT INTO ledger_action (id, uuid, kind, slot, marker, client_id, payload, fingerprint, state, revision, reason,
    next_step, key_generation, sends, releases, look_ups, result_id, result_url, presence, state_since, created_at,
    project_id, target_id, task_id, by_permit)
SELECT id + 1, gen_random_uuid(), 'create_draft', 'main', 'm-' || id, gen_random_uuid(), '{}', md5(id::text), 'confirmed', 2,
       'answered', 'none', 1, 1, 0, 0, 'obj-' || id, '', 'present', at, at, project_id, target_id, id + 1, false
FROM seed_task, seed_size;

INSERT INTO ledger_run (id, uuid, kind, external_id, status, process, started_at, summary, project_id)
SELECT 1, gen_random_uuid(), 'worker', '', 'finished', 'bench', '2024-01-01', '{}', project_id FROM seed_size;
-- one task in four took a second attempt
INSERT INTO ledger_attempt (id, token, number, replay, key_generation, sender, intended_at, lease_until, action_id, project_id, run_id)
SELECT id + 1, gen_random_uuid(), 1, false, 1, 'bench', at, at + interval '1 minute', id + 1, project_id, 1
FROM seed_task, seed_size
UNION ALL
SELECT tasks + 1 + id / 4, gen_random_uuid(), 2, false, 1, 'bench', at + interval '1 hour', at + interval '2 hours', id + 1, project_id, 1
FROM seed_task, seed_size WHERE id % 4 = 0;

INSERT INTO review_draft (id, content, content_hash, version, status, url, first_read_at, read_at, action_id, project_id)
SELECT id + 1, '{}', md5(id::text), '', '', '', at, at, id + 1, project_id FROM seed_task, seed_size;
-- 95 of 100 are accepted, 3 wait for changes, 2 are rejected for good
INSERT INTO review_review (id, uuid, verdict, reasons, text, at, draft_id, project_id, task_id, user_id)
SELECT id + 1, gen_random_uuid(),
       CASE WHEN id % 100 < 95 THEN 'accepted' WHEN id % 100 < 98 THEN 'changes' ELSE 'rejected' END, '[]', '',
       at + interval '1 day', id + 1, project_id, id + 1, user_id
FROM seed_task, seed_size;
INSERT INTO review_asset (id, uuid, accepted_at, action_id, project_id, task_id, draft_id, review_id)
SELECT id, gen_random_uuid(), at, draft_id, project_id, task_id, draft_id, id FROM review_review WHERE verdict = 'accepted';

-- one asset in fifty is a duplicate of the one before it
INSERT INTO billing_unitentry (seq, sign, reason, asset_id, survivor_id, posted_period, origin_period, correction, source_key,
    evidence, actor, created_at, prev_hash, hash, project_id)
SELECT row_number() OVER (ORDER BY u.at, u.sign DESC), u.sign, u.reason, u.asset_id, u.survivor_id, u.month, u.month, false, '',
       '{}', 'bench', u.at, '', md5(u.asset_id::text), project_id
FROM seed_size, (
    SELECT id AS asset_id, NULL::bigint AS survivor_id, 1 AS sign, 'accepted' AS reason, accepted_at AS at,
           date_trunc('month', accepted_at AT TIME ZONE 'Asia/Shanghai')::date AS month FROM review_asset
    UNION ALL
    SELECT id, lag(id) OVER (ORDER BY id), -1, 'duplicate_found', accepted_at + interval '1 hour',
           date_trunc('month', accepted_at AT TIME ZONE 'Asia/Shanghai')::date FROM review_asset
) u WHERE u.sign = 1 OR (u.asset_id % 50 = 0 AND u.survivor_id IS NOT NULL);

-- the trigger that keeps the sums rested meanwhile
INSERT INTO billing_unitsum (project_id, posted_period, origin_period, sign, entries)
SELECT project_id, posted_period, origin_period, sum(sign), count(*) FROM billing_unitentry GROUP BY 1, 2, 3;
