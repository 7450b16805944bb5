UPDATE billing_duplicate SET status = 'dismissed' WHERE status = 'promoted';
DROP TRIGGER billing_pair_changes ON billing_duplicate;
DROP FUNCTION billing_pair_changes();
CREATE OR REPLACE FUNCTION billing_unit_comes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    head text[];
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
    IF NEW.sign + coalesce((SELECT sum(sign) FROM billing_unitentry WHERE asset_id = NEW.asset_id), 0) NOT IN (0, 1)
    THEN
        PERFORM once_refuse('counted_once', 'an asset counts as none or as one');
    END IF;
    NEW.correction := billing_is_correction(NEW.project_id, NEW.posted_period, NEW.origin_period);
    NEW.seq := head[1]::bigint + 1;
    NEW.prev_hash := head[2];
    NEW.created_at := clock_timestamp();
    NEW.hash := billing_hash(NEW.prev_hash, billing_said(NEW));
    RETURN NEW;
END $$;
