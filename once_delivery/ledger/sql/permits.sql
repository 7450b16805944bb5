-- Who performs an action is part of what it is: never changed afterwards.
CREATE FUNCTION once_by_permit_is_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM once_refuse('action_identity_is_fixed', 'who performs an action never changes');
    RETURN NULL;
END $$;

CREATE TRIGGER once_by_permit_is_fixed BEFORE UPDATE OF by_permit ON ledger_action
    FOR EACH ROW WHEN (OLD.by_permit IS DISTINCT FROM NEW.by_permit) EXECUTE FUNCTION once_by_permit_is_fixed();
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON ledger_usagereport
    FOR EACH ROW EXECUTE FUNCTION once_append_only();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON ledger_usagereport EXECUTE FUNCTION once_no_truncate();
