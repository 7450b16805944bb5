-- The one draft of a task that people see, with its state of review: one row a task. PostgreSQL keeps it, whoever
-- confirms, reads or decides, since the ledger knows nothing of review and lists must not work it out for a million rows.

-- as it is said in review/models.py (ReviewState): of the latest decision, the text it is about, and the text read last
CREATE FUNCTION once_review_state(verdict text, decided bigint, latest bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN verdict IS NULL OR verdict = 'withdrawn' THEN 'waits'
        WHEN verdict = 'accepted' AND latest <> decided THEN 'changed'
        WHEN verdict = 'changes' AND latest <> decided THEN 'waits'
        ELSE verdict
    END
$$;

-- The visible draft of one task, as it follows from actions, decisions and texts: its first confirmed draft, unless a
-- newer input version has taken the object over. No row: there is none.
CREATE FUNCTION once_visible_draft(of_task bigint)
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

-- Write the row of a task anew. Two that confirm drafts of one task at once meet at the row: the first draft stays.
CREATE FUNCTION once_show_draft(of_task bigint, happened_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    now_shown record;
BEGIN
    SELECT * INTO now_shown FROM once_visible_draft(of_task);
    IF NOT FOUND THEN
        DELETE FROM review_visibledraft WHERE task_id = of_task;
        RETURN;
    END IF;
    INSERT INTO review_visibledraft AS shown
        (task_id, action_id, project_id, product_id, locale, purpose, state, since, latest_id, review_id)
    SELECT t.id, now_shown.action_id, t.project_id, t.product_id, t.locale, t.purpose, now_shown.state,
           CASE WHEN now_shown.state IN ('waits', 'changed') THEN coalesce(happened_at, now()) ELSE now_shown.decided_at END,
           now_shown.latest_id, now_shown.review_id
    FROM ledger_task t WHERE t.id = of_task
    ON CONFLICT (task_id) DO UPDATE SET
        action_id = excluded.action_id, state = excluded.state, latest_id = excluded.latest_id,
        review_id = excluded.review_id,
        since = CASE
            WHEN shown.action_id = excluded.action_id
                 AND shown.state IN ('waits', 'changed') AND excluded.state IN ('waits', 'changed')
            THEN shown.since ELSE excluded.since END
    WHERE excluded.action_id <= shown.action_id
      AND (shown.action_id, shown.state, shown.latest_id, shown.review_id)
          IS DISTINCT FROM (excluded.action_id, excluded.state, excluded.latest_id, excluded.review_id);
END $$;

CREATE FUNCTION once_draft_confirmed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.original_id IS NOT NULL THEN
        PERFORM once_show_draft(task_id, NEW.confirmed_at) FROM ledger_action WHERE id = NEW.original_id;
    END IF;
    IF NEW.kind = 'create_draft' THEN
        PERFORM once_show_draft(NEW.task_id, NEW.confirmed_at);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER once_draft_confirmed AFTER UPDATE OF state ON ledger_action FOR EACH ROW
    WHEN (NEW.state = 'confirmed' AND OLD.state <> 'confirmed'
          AND (NEW.kind = 'create_draft' OR NEW.original_id IS NOT NULL))
    EXECUTE FUNCTION once_draft_confirmed();

-- Decisions and readings of one task come one after the other: the last one sees them all.
CREATE FUNCTION once_draft_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM review_visibledraft WHERE task_id = NEW.task_id FOR NO KEY UPDATE;
    PERFORM once_show_draft(NEW.task_id, NEW.at);
    RETURN NULL;
END $$;
CREATE TRIGGER once_draft_decided AFTER INSERT ON review_review
    FOR EACH ROW EXECUTE FUNCTION once_draft_decided();

CREATE FUNCTION once_draft_read() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    of_task bigint;
BEGIN
    SELECT task_id INTO of_task FROM ledger_action WHERE id = NEW.action_id;
    PERFORM FROM review_visibledraft WHERE task_id = of_task FOR NO KEY UPDATE;
    PERFORM once_show_draft(of_task, NEW.read_at);
    RETURN NULL;
END $$;
CREATE TRIGGER once_draft_read AFTER INSERT OR UPDATE OF read_at ON review_draft
    FOR EACH ROW EXECUTE FUNCTION once_draft_read();

-- Changed since a person looked: the text that was read last is not the one that they saw last.
CREATE FUNCTION once_seen_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    now_there bigint;
BEGIN
    SELECT latest_id INTO now_there FROM review_visibledraft WHERE task_id = NEW.task_id FOR SHARE;
    NEW.changed := coalesce(NEW.draft_id <> now_there, false);
    RETURN NEW;
END $$;
CREATE TRIGGER once_seen_noted BEFORE INSERT OR UPDATE ON review_seen
    FOR EACH ROW EXECUTE FUNCTION once_seen_noted();

CREATE FUNCTION once_seen_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE review_seen SET at = at WHERE task_id = NEW.task_id AND changed = (draft_id = NEW.latest_id);
    RETURN NULL;
END $$;
CREATE TRIGGER once_seen_changes AFTER UPDATE OF latest_id ON review_visibledraft FOR EACH ROW
    WHEN (NEW.latest_id IS DISTINCT FROM OLD.latest_id) EXECUTE FUNCTION once_seen_changes();

-- what is there already
INSERT INTO review_visibledraft
    (task_id, action_id, project_id, product_id, locale, purpose, state, since, latest_id, review_id)
SELECT t.id, shown.action_id, t.project_id, t.product_id, t.locale, t.purpose, shown.state,
       CASE
           WHEN shown.state IN ('waits', 'changed') THEN coalesce(waits.since, shown.confirmed_at, now())
           ELSE shown.decided_at
       END,
       shown.latest_id, shown.review_id
FROM ledger_task t
CROSS JOIN LATERAL once_visible_draft(t.id) shown
LEFT JOIN review_toreview waits ON waits.action_id = shown.action_id;
UPDATE review_seen SET at = at;
