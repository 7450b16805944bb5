DROP TRIGGER once_append_only ON ledger_restoration;
DROP TRIGGER once_no_truncate ON ledger_restoration;
DROP TRIGGER once_look_first ON ledger_action;
DROP FUNCTION once_restoration_changes();
DROP FUNCTION once_look_first();
DROP FUNCTION once_awaits_look(bigint, timestamptz);

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

DROP FUNCTION once_restored_arrow(text, text, text);
