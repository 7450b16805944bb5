-- After a restore from a backup the ledger knows less than the targets hold (DESIGN section 10). What it believes to be
-- planned or refused becomes uncertain, and nothing is sent before the target was asked anew.

-- These actions may have been sent, and nobody has looked since: made before the restoration was ended, and without an
-- event since it was opened that says so. The reasons stand in restoring.py, too; a test compares them.
CREATE FUNCTION once_awaits_look(action bigint, made timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM ledger_restoration restoration
        WHERE (restoration.ended_at IS NULL OR made <= restoration.ended_at) AND NOT EXISTS (
            SELECT FROM ledger_event event
            WHERE event.action_id = action AND event.at >= restoration.opened_at
              AND event.reason IN ('ledger-restored', 'restored-while-held', 'absence-proven', 'declared-absent')))
$$;

CREATE FUNCTION once_look_first() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF once_awaits_look(NEW.id, NEW.created_at) THEN
        PERFORM once_refuse('look_first_after_restore', format('action %s may have been sent after the backup', NEW.id));
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER once_look_first BEFORE UPDATE OF state ON ledger_action
    FOR EACH ROW WHEN (NEW.state = 'sending' AND OLD.state <> 'sending') EXECUTE FUNCTION once_look_first();

-- Two arrows exist under these reasons alone, and only where there is such a restoration.
CREATE FUNCTION once_restored_arrow(source text, target text, why text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT (source, target) IN (('planned', 'uncertain'), ('refused', 'uncertain'))
       AND why IN ('ledger-restored', 'restored-while-held') AND EXISTS (SELECT FROM ledger_restoration)
$$;

CREATE OR REPLACE FUNCTION once_action_changes() RETURNS trigger LANGUAGE plpgsql AS $$
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
        IF NOT once_arrow(OLD.state, NEW.state) AND NOT once_restored_arrow(OLD.state, NEW.state, NEW.reason) THEN
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

-- R10: a restoration is written once; its end is added once.
CREATE FUNCTION once_restoration_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.ended_at IS NOT NULL OR NEW.ended_at IS NULL
       OR (OLD.id, OLD.since, OLD.opened_at, OLD.opened_by) IS DISTINCT FROM
          (NEW.id, NEW.since, NEW.opened_at, NEW.opened_by)
    THEN
        PERFORM once_refuse('append_only', format('%s of %s is refused', TG_OP, TG_TABLE_NAME));
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON ledger_restoration
    FOR EACH ROW EXECUTE FUNCTION once_restoration_changes();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON ledger_restoration EXECUTE FUNCTION once_no_truncate();
