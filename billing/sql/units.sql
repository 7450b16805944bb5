-- I9, more: an asset is counted as accepted first, and as that once; what follows takes it back or counts it again.
CREATE OR REPLACE FUNCTION billing_unit_comes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    head text[];
    known integer;
    units integer;
BEGIN
    PERFORM billing_lock(NEW.project_id);
    SELECT ARRAY[u.seq::text, u.hash] INTO head FROM billing_unitentry u
    WHERE u.project_id = NEW.project_id ORDER BY u.seq DESC LIMIT 1;
    head := coalesce(head, ARRAY['0', '']);
    IF NOT EXISTS (SELECT FROM review_asset WHERE id = NEW.asset_id AND project_id = NEW.project_id)
       OR (NEW.survivor_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM review_asset WHERE id = NEW.survivor_id AND project_id = NEW.project_id))
    THEN
        PERFORM once_refuse('other_project', 'an asset is counted in its own project');
    END IF;
    SELECT count(*), coalesce(sum(sign), 0) INTO known, units FROM billing_unitentry WHERE asset_id = NEW.asset_id;
    IF NEW.sign + units NOT IN (0, 1) OR (NEW.reason = 'accepted') <> (known = 0) THEN
        PERFORM once_refuse('counted_once', 'an asset counts as none or as one, and as accepted first');
    END IF;
    NEW.correction := billing_is_correction(NEW.project_id, NEW.posted_period, NEW.origin_period);
    NEW.seq := head[1]::bigint + 1;
    NEW.prev_hash := head[2];
    NEW.created_at := clock_timestamp();
    NEW.hash := billing_hash(NEW.prev_hash, billing_said(NEW));
    RETURN NEW;
END $$;

-- What was proposed about a pair falls away when the pair becomes another one, or is decided.
CREATE FUNCTION billing_pair_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE billing_duplicateproposal SET dropped = 'pair' WHERE duplicate_id = NEW.id AND dropped = '';
    RETURN NULL;
END $$;
CREATE TRIGGER billing_pair_changes AFTER UPDATE ON billing_duplicate FOR EACH ROW
    WHEN ((OLD.asset_id, OLD.survivor_id, OLD.status) IS DISTINCT FROM (NEW.asset_id, NEW.survivor_id, NEW.status))
    EXECUTE FUNCTION billing_pair_changes();

-- A survivor that was taken back had left its place to the next one of its group, whose row was told apart from what a
-- person had called two by the entry in the ledger alone.
UPDATE billing_duplicate d SET status = 'promoted'
WHERE d.status = 'dismissed' AND EXISTS (
    SELECT FROM (SELECT u.reason, u.evidence FROM billing_unitentry u WHERE u.asset_id = d.asset_id
                 ORDER BY u.seq DESC LIMIT 1) last
    WHERE last.reason = 'survivor_promoted' AND NOT last.evidence ? 'duplicate');
