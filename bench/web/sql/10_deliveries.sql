-- Batches, products, tasks and actions. Deterministic: what looks random is a hash of the row's number.
CREATE FUNCTION pg_temp.roll(n bigint, salt int, most int) RETURNS int LANGUAGE sql IMMUTABLE AS
    'SELECT (abs(hashint8extended(n, salt)::numeric) % most)::int';

CREATE TEMP TABLE seed_batch AS
WITH many AS (
    SELECT greatest(10, actions * 300 / 1000000)::int AS batches FROM seed_size
), sized AS (
    SELECT b, batches, round(100 + 9900 * power((b * 131 % batches) / (batches - 1.0), 2.38))::int AS size
    FROM many, generate_series(1, batches) b
)
SELECT b, size, (sum(size) OVER (ORDER BY b) - size)::bigint AS first_task,
    -- one project has most of it
    (SELECT id FROM accounts_project ORDER BY id
     OFFSET CASE WHEN b = 1 OR b > batches - 3 OR b % 10 < 6 THEN 0 WHEN b % 10 < 8 THEN 1 WHEN b % 10 = 8 THEN 2
            WHEN b % 30 < 20 THEN 3 ELSE 4 END LIMIT 1) AS project_id,
    now() - (batches - b + 0.2) * interval '200 days' / batches AS at,
    b > batches * 0.9 AS fresh
FROM sized;

CREATE TEMP TABLE seed_task AS
SELECT s.first_task + p + 1 AS id, s.b, s.project_id, s.at, s.fresh, p AS position,
    s.first_task / 20 + s.b + p / 20 AS product_id
FROM seed_batch s, generate_series(0, s.size - 1) p;
ANALYZE seed_task;

INSERT INTO ledger_batch (id, uuid, name, source_name, source_sha256, created_at, project_id, requested_by_id)
SELECT b, gen_random_uuid(), 'Batch ' || b, 'products-' || b || '.xlsx', md5(b::text), at, project_id,
    (SELECT user_id FROM accounts_membership m WHERE m.project_id = s.project_id AND role = 'ops_owner' LIMIT 1)
FROM seed_batch s;

INSERT INTO ledger_product (id, code, name, project_id)
SELECT product_id, 'P' || product_id, (ARRAY['手冲壶', '露营灯', '保温杯', 'Kettle', 'Desk lamp'])[1 + product_id % 5] || ' ' || product_id,
    min(project_id)
FROM seed_task GROUP BY product_id ORDER BY product_id;

INSERT INTO ledger_inputversion (id, number, content, fingerprint, approved_by, approved_at, created_at, project_id, product_id)
SELECT id, 1, jsonb_build_object('text', repeat('Brief of ' || name || '. ', 20)), md5(id::text), '周舟', now() - interval '210 days',
    now() - interval '210 days', project_id, id
FROM ledger_product ORDER BY id;

INSERT INTO ledger_task (id, uuid, locale, purpose, created_at, input_version_id, product_id, project_id)
SELECT id, gen_random_uuid(),
    (ARRAY['en-US','de-DE','fr-FR','it-IT','es-ES','pt-PT','nl-NL','sv-SE','pl-PL','ja-JP'])[1 + position % 10],
    (ARRAY['product page', 'newsletter'])[1 + position / 10 % 2], at, product_id, product_id, project_id
FROM seed_task ORDER BY id;

INSERT INTO ledger_batchtask (batch_id, task_id, existed, repeats, position)
SELECT b, id, false, CASE WHEN pg_temp.roll(id, 1, 100) = 0 THEN 1 ELSE 0 END, position FROM seed_task ORDER BY id;
-- every tenth batch asked again for what an earlier one of its project had
INSERT INTO ledger_batchtask (batch_id, task_id, existed, repeats, position)
SELECT s.b, t.id, true, 1, s.size + row_number() OVER (PARTITION BY s.b ORDER BY t.id)
FROM seed_batch s
JOIN LATERAL (SELECT e.b FROM seed_batch e WHERE e.project_id = s.project_id AND e.b < s.b ORDER BY e.b DESC LIMIT 1) e ON true
JOIN seed_task t ON t.b = e.b AND t.position < 100
WHERE s.b % 10 = 0;

-- one task in nine has a second action
CREATE TEMP TABLE seed_action AS
WITH wanted AS (
    SELECT id AS task_id, 0 AS slot FROM seed_task
    UNION ALL
    SELECT id, 1 FROM seed_task WHERE pg_temp.roll(id, 2, 1000) < 111
), rolled AS (
    SELECT row_number() OVER (ORDER BY w.task_id, w.slot) AS id, w.task_id, w.slot, t.b, t.project_id, t.fresh, t.at, t.position,
        pg_temp.roll(w.task_id * 2 + w.slot, 3, 1000) AS roll
    FROM wanted w JOIN seed_task t ON t.id = w.task_id
)
SELECT r.*, g.id AS target_id, r.at + (5 + position * 0.2) * interval '1 second' AS sent_at,
    CASE
        WHEN fresh THEN CASE WHEN roll < 330 THEN 'planned' WHEN roll < 340 THEN 'sending' WHEN roll < 380 THEN 'accepted'
            WHEN roll < 400 THEN 'uncertain' WHEN roll < 405 THEN 'reconcile' WHEN roll < 415 THEN 'refused' ELSE 'confirmed' END
        WHEN roll < 5 THEN 'refused' WHEN roll < 9 THEN 'reconcile' WHEN roll < 12 THEN 'uncertain'
        WHEN roll < 13 THEN 'accepted' WHEN roll < 38 THEN 'superseded' WHEN roll < 42 THEN 'cancelled'
        ELSE 'confirmed' END AS state
FROM rolled r
JOIN LATERAL (
    SELECT id FROM targets_target WHERE project_id = r.project_id ORDER BY id
    OFFSET CASE WHEN pg_temp.roll(r.task_id, 4, 10) < 8 THEN 0 ELSE 1 END LIMIT 1
) g ON true;
ALTER TABLE seed_action ADD PRIMARY KEY (id);
ANALYZE seed_action;

INSERT INTO ledger_action (id, uuid, kind, slot, marker, client_id, payload, fingerprint, state, revision, reason, next_step,
    next_step_at, lease_token, lease_until, key_generation, sends, releases, look_ups, result_id, result_url, confirmed_at,
    presence, checked_at, check_due_at, state_since, created_at, project_id, target_id, task_id)
SELECT id, gen_random_uuid(), 'create_draft', CASE slot WHEN 0 THEN 'main' ELSE 'second' END, 'once-' || left(md5(id::text), 26),
    gen_random_uuid(), jsonb_build_object('title', 'Page ' || id, 'body', '<p>' || repeat('Keeps the water warm for half an hour. ', 10) || '</p>'),
    md5(id::text), state,
    CASE WHEN state = 'planned' THEN 0 WHEN state IN ('sending', 'superseded', 'cancelled') THEN 1 WHEN state = 'reconcile' THEN 3 ELSE 2 END,
    CASE state WHEN 'planned' THEN 'requested' WHEN 'confirmed' THEN 'done' WHEN 'refused' THEN 'target-refused'
        WHEN 'reconcile' THEN 'looks-alike' WHEN 'uncertain' THEN 'reset' WHEN 'superseded' THEN 'superseded' ELSE state END,
    CASE state WHEN 'planned' THEN 'perform' WHEN 'sending' THEN 'wait' WHEN 'accepted' THEN 'look_up' WHEN 'uncertain' THEN 'look_up'
        WHEN 'reconcile' THEN 'person' WHEN 'refused' THEN 'person' ELSE 'none' END,
    CASE WHEN state IN ('confirmed', 'superseded', 'cancelled') THEN NULL ELSE sent_at + interval '1 hour' END,
    CASE state WHEN 'sending' THEN gen_random_uuid() END,
    CASE state WHEN 'sending' THEN now() + interval '1 minute' END,
    1, CASE WHEN state IN ('planned', 'superseded', 'cancelled') THEN 0 WHEN roll % 33 = 0 THEN 2 ELSE 1 END, 0,
    CASE WHEN state IN ('uncertain', 'reconcile') THEN 2 ELSE 0 END,
    CASE WHEN state IN ('confirmed', 'accepted') THEN 'obj-' || id ELSE '' END,
    CASE WHEN state = 'confirmed' THEN 'https://shop.example/drafts/' || id ELSE '' END,
    CASE WHEN state = 'confirmed' THEN sent_at + interval '2 seconds' END,
    CASE WHEN state <> 'confirmed' OR roll % 10 < 3 THEN 'unchecked' WHEN roll % 500 = 4 THEN 'duplicate' WHEN roll % 100 = 5 THEN 'changed' ELSE 'present' END,
    CASE WHEN state = 'confirmed' AND roll % 10 >= 3 THEN sent_at + interval '1 day' END,
    CASE WHEN state = 'confirmed' AND fresh THEN now() + interval '5 minutes' END,
    sent_at, at, project_id, target_id, task_id
FROM seed_action ORDER BY id;

INSERT INTO ledger_title (action_id, project_id, text, words)
SELECT id, project_id, 'Page ' || id, array_to_tsvector(ARRAY[project_id || ':page', project_id || ':' || id]) FROM seed_action ORDER BY id;

INSERT INTO ledger_projectsize (project_id, actions) SELECT project_id, count(*) FROM seed_action GROUP BY project_id;
INSERT INTO ledger_batchsize (batch_id, tasks, actions)
SELECT r.batch_id, count(DISTINCT r.task_id), count(a.id)
FROM ledger_batchtask r LEFT JOIN seed_action a ON a.task_id = r.task_id GROUP BY r.batch_id;
