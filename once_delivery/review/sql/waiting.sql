-- A draft waits for review from the moment in which its action is confirmed. PostgreSQL writes it down, since the ledger
-- knows nothing of review. The first confirmed draft of a task is the visible one; an update takes its object over.

CREATE FUNCTION once_draft_waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.original_id IS NOT NULL THEN
        DELETE FROM review_toreview WHERE action_id = NEW.original_id;
    END IF;
    IF NEW.kind = 'create_draft' AND NOT EXISTS (
        SELECT FROM ledger_action earlier
        WHERE earlier.task_id = NEW.task_id AND earlier.kind = NEW.kind AND earlier.state = 'confirmed'
          AND earlier.id < NEW.id
    ) THEN
        DELETE FROM review_toreview later USING ledger_action a
        WHERE a.id = later.action_id AND a.task_id = NEW.task_id AND a.id > NEW.id;
        INSERT INTO review_toreview (action_id, project_id, since)
        VALUES (NEW.id, NEW.project_id, coalesce(NEW.confirmed_at, now()))
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER once_draft_waits AFTER UPDATE OF state ON ledger_action FOR EACH ROW
    WHEN (NEW.state = 'confirmed' AND OLD.state <> 'confirmed'
          AND (NEW.kind = 'create_draft' OR NEW.original_id IS NOT NULL))
    EXECUTE FUNCTION once_draft_waits();
CREATE TRIGGER once_draft_waits_at_once AFTER INSERT ON ledger_action FOR EACH ROW
    WHEN (NEW.state = 'confirmed' AND (NEW.kind = 'create_draft' OR NEW.original_id IS NOT NULL))
    EXECUTE FUNCTION once_draft_waits();

-- what is there already
INSERT INTO review_toreview (action_id, project_id, since)
SELECT a.id, a.project_id, coalesce(a.confirmed_at, now())
FROM ledger_action a
LEFT JOIN LATERAL (
    SELECT verdict, draft_id FROM review_review r WHERE r.task_id = a.task_id ORDER BY r.at DESC, r.id DESC LIMIT 1
) decided ON true
LEFT JOIN LATERAL (
    SELECT id FROM review_draft d WHERE d.action_id = a.id ORDER BY d.read_at DESC, d.id DESC LIMIT 1
) latest ON true
WHERE a.kind = 'create_draft' AND a.state = 'confirmed'
  AND NOT EXISTS (SELECT FROM ledger_action n WHERE n.original_id = a.id AND n.state = 'confirmed')
  AND NOT EXISTS (
      SELECT FROM ledger_action e
      WHERE e.task_id = a.task_id AND e.kind = 'create_draft' AND e.state = 'confirmed' AND e.id < a.id
  )
  AND (decided.verdict IS NULL OR decided.verdict = 'withdrawn'
       OR (decided.verdict IN ('accepted', 'changes') AND latest.id <> decided.draft_id));
