-- The rules of DESIGN section 3 that PostgreSQL itself upholds. Every refusal is a check_violation whose
-- message begins with the rule's name, so that code can map it and people can look it up.

CREATE FUNCTION once_refuse(rule text, said text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%: %', rule, said USING ERRCODE = 'check_violation', CONSTRAINT = rule;
END $$;

-- R10: evidence is append-only. Arguments name the columns that retention may empty, and nothing else may change.
CREATE FUNCTION once_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    old_row jsonb;
    new_row jsonb;
    purgeable text;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        old_row := to_jsonb(OLD);
        new_row := to_jsonb(NEW);
        FOREACH purgeable IN ARRAY coalesce(TG_ARGV, '{}') LOOP
            IF new_row -> purgeable IN ('""'::jsonb, '{}'::jsonb, '[]'::jsonb) THEN
                old_row := old_row - purgeable;
                new_row := new_row - purgeable;
            END IF;
        END LOOP;
        IF old_row = new_row THEN
            RETURN NEW;
        END IF;
    END IF;
    PERFORM once_refuse('append_only', format('%s of %s is refused', TG_OP, TG_TABLE_NAME));
    RETURN NULL;
END $$;

-- TRUNCATE would go round row triggers. Only a test database says once.may_truncate = 'on'.
CREATE FUNCTION once_no_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('once.may_truncate', true), '') <> 'on' THEN
        PERFORM once_refuse('append_only', format('TRUNCATE of %s is refused', TG_TABLE_NAME));
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION once_arrow(source text, target text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT (source, target) IN (
        ('planned', 'sending'), ('planned', 'superseded'), ('planned', 'cancelled'),
        ('planned', 'confirmed'), ('planned', 'accepted'),
        ('sending', 'planned'), ('sending', 'accepted'), ('sending', 'confirmed'), ('sending', 'refused'),
        ('sending', 'uncertain'),
        ('accepted', 'confirmed'), ('accepted', 'refused'), ('accepted', 'uncertain'),
        ('uncertain', 'confirmed'), ('uncertain', 'accepted'), ('uncertain', 'planned'), ('uncertain', 'sending'),
        ('uncertain', 'reconcile'),
        ('reconcile', 'confirmed'), ('reconcile', 'accepted'), ('reconcile', 'planned'), ('reconcile', 'cancelled'),
        ('refused', 'sending'), ('refused', 'superseded'), ('refused', 'cancelled'), ('refused', 'confirmed'),
        ('refused', 'accepted')
    )
$$;

CREATE FUNCTION once_action_starts_planned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'planned' OR NEW.revision <> 0 OR NEW.result_id <> '' THEN
        PERFORM once_refuse('action_starts_planned', 'an action begins as planned, without a result');
    END IF;
    IF NOT EXISTS (
        SELECT 1 FROM ledger_task task JOIN targets_target target ON target.project_id = task.project_id
        WHERE task.id = NEW.task_id AND target.id = NEW.target_id AND task.project_id = NEW.project_id
    ) THEN
        PERFORM once_refuse('one_project', 'action, task and target belong to one project');
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION once_action_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.project_id, OLD.task_id, OLD.target_id, OLD.kind, OLD.slot, OLD.marker, OLD.client_id, OLD.fingerprint,
        OLD.uuid, OLD.created_at)
       IS DISTINCT FROM
       (NEW.project_id, NEW.task_id, NEW.target_id, NEW.kind, NEW.slot, NEW.marker, NEW.client_id, NEW.fingerprint,
        NEW.uuid, NEW.created_at)
    THEN
        PERFORM once_refuse('action_identity_is_fixed', 'the identity of an action never changes');
    END IF;
    -- emptied while it may still be sent, it would go out as another content under the same identity
    IF NEW.payload IS DISTINCT FROM OLD.payload
       AND (NEW.payload <> '{}'::jsonb OR NEW.state NOT IN ('confirmed', 'superseded', 'cancelled'))
    THEN
        PERFORM once_refuse('action_identity_is_fixed', 'the payload of a final action may be purged, none changed (R9)');
    END IF;
    IF OLD.state = 'confirmed' AND NEW.result_id <> OLD.result_id THEN
        PERFORM once_refuse('confirmed_keeps_result_id', 'a confirmed action keeps its first result ID (R7)');
    END IF;
    IF NEW.state <> OLD.state THEN
        IF NOT once_arrow(OLD.state, NEW.state) THEN
            PERFORM once_refuse('known_arrows_only', format('%s may not go to %s', OLD.state, NEW.state));
        END IF;
        IF NEW.revision <> OLD.revision + 1 THEN
            PERFORM once_refuse('known_arrows_only', 'a change of state raises the revision by one');
        END IF;
    ELSIF NEW.revision <> OLD.revision OR NEW.lease_token IS DISTINCT FROM OLD.lease_token THEN
        PERFORM once_refuse('known_arrows_only', 'revision and lease change with the state alone');
    END IF;
    RETURN NEW;
END $$;

-- Deferred to the commit: a change of state without its event is refused, whoever wrote it.
CREATE FUNCTION once_action_has_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM ledger_event event
        WHERE event.action_id = NEW.id AND event.revision = NEW.revision
          AND event.from_state = OLD.state AND event.to_state = NEW.state
    ) THEN
        PERFORM once_refuse('change_leaves_event', format('action %s went to %s without an event', NEW.id, NEW.state));
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER once_starts_planned BEFORE INSERT ON ledger_action
    FOR EACH ROW EXECUTE FUNCTION once_action_starts_planned();
CREATE TRIGGER once_changes BEFORE UPDATE ON ledger_action
    FOR EACH ROW EXECUTE FUNCTION once_action_changes();
CREATE CONSTRAINT TRIGGER once_has_event AFTER UPDATE ON ledger_action
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state)
    EXECUTE FUNCTION once_action_has_event();
CREATE TRIGGER once_never_deleted BEFORE DELETE ON ledger_action
    FOR EACH ROW EXECUTE FUNCTION once_append_only();

CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON ledger_attempt
    FOR EACH ROW EXECUTE FUNCTION once_append_only();
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON ledger_receipt
    FOR EACH ROW EXECUTE FUNCTION once_append_only('excerpt', 'detail', 'usage');
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON ledger_observation
    FOR EACH ROW EXECUTE FUNCTION once_append_only('candidates', 'detail');
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON ledger_event
    FOR EACH ROW EXECUTE FUNCTION once_append_only('data');
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON ledger_inputversion
    FOR EACH ROW EXECUTE FUNCTION once_append_only('content');
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON ledger_task
    FOR EACH ROW EXECUTE FUNCTION once_append_only();

CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON ledger_action EXECUTE FUNCTION once_no_truncate();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON ledger_attempt EXECUTE FUNCTION once_no_truncate();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON ledger_receipt EXECUTE FUNCTION once_no_truncate();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON ledger_observation EXECUTE FUNCTION once_no_truncate();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON ledger_event EXECUTE FUNCTION once_no_truncate();
