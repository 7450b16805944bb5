-- R10 for what people decided. once_append_only and once_refuse are the ledger's (ledger/sql/rules.sql).

CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON review_review
    FOR EACH ROW EXECUTE FUNCTION once_append_only('text');
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON review_comment
    FOR EACH ROW EXECUTE FUNCTION once_append_only('text');
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON review_review EXECUTE FUNCTION once_no_truncate();

CREATE FUNCTION once_asset_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM once_refuse('asset_is_kept', 'an asset is taken back, never deleted');
    END IF;
    IF (OLD.uuid, OLD.project_id, OLD.task_id, OLD.action_id, OLD.accepted_at)
       IS DISTINCT FROM (NEW.uuid, NEW.project_id, NEW.task_id, NEW.action_id, NEW.accepted_at)
       OR (OLD.withdrawn_at IS NOT NULL AND OLD IS DISTINCT FROM NEW)
    THEN
        PERFORM once_refuse('asset_is_kept', 'what was accepted, and when, stays; what was taken back stays so');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER once_asset_changes BEFORE UPDATE OR DELETE ON review_asset
    FOR EACH ROW EXECUTE FUNCTION once_asset_changes();
