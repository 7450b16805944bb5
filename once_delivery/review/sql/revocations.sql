-- R10 for acceptances that were taken back: what is answered stays so, but that an acceptance anew takes its place, and
-- that retention may empty the words of an answer (DESIGN section 10).

CREATE FUNCTION once_revocation_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM once_refuse('revocation_is_kept', 'that an acceptance was taken back is kept');
    END IF;
    IF OLD.status <> 'asked' AND NEW.words = '' AND to_jsonb(OLD) - 'words' = to_jsonb(NEW) - 'words' THEN
        RETURN NEW;
    END IF;
    IF (OLD.uuid, OLD.project_id, OLD.asset_id, OLD.review_id, OLD.asked_at)
       IS DISTINCT FROM (NEW.uuid, NEW.project_id, NEW.asset_id, NEW.review_id, NEW.asked_at)
       OR NOT (OLD.status = 'asked' OR (OLD.status = 'denied' AND NEW.status = 'again'))
       OR (OLD.status = 'denied' AND (OLD.answered_by_id, OLD.answered_at, OLD.words)
           IS DISTINCT FROM (NEW.answered_by_id, NEW.answered_at, NEW.words))
    THEN
        PERFORM once_refuse('revocation_is_kept', 'an answer stays as it was given');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER once_revocation_changes BEFORE UPDATE OR DELETE ON review_revocation
    FOR EACH ROW EXECUTE FUNCTION once_revocation_changes();
