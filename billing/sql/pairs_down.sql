-- One row an asset again, beside the earliest accepted of its group. What else was said of its pairs is lost.
DROP TRIGGER billing_pairs_agree ON billing_duplicate;
DROP FUNCTION billing_pairs_agree();
DROP TRIGGER once_no_truncate ON billing_duplicatedecision;
DROP TRIGGER once_append_only ON billing_duplicatedecision;
DROP TRIGGER billing_pair_said ON billing_duplicate;
DROP FUNCTION billing_pair_said();
DROP TRIGGER billing_pair_stays ON billing_duplicate;
DROP FUNCTION billing_pair_stays();
CREATE TEMPORARY TABLE rows_kept ON COMMIT DROP AS
SELECT DISTINCT ON (asset_id) id,
       (SELECT a.id FROM review_asset a WHERE a.id IN (SELECT billing_group_of(d.asset_id))
        ORDER BY a.accepted_at, a.id LIMIT 1) AS root
FROM billing_duplicate d
ORDER BY asset_id, status = 'decided' DESC, status <> 'suggested' DESC, decided_at DESC NULLS LAST, id DESC;
DELETE FROM billing_duplicateproposal WHERE duplicate_id NOT IN (SELECT id FROM rows_kept);
DELETE FROM billing_duplicatedecision;
UPDATE billing_duplicate SET follows_id = NULL WHERE follows_id NOT IN (SELECT id FROM rows_kept);
DELETE FROM billing_duplicate WHERE id NOT IN (SELECT id FROM rows_kept);
UPDATE billing_duplicate d SET survivor_id = k.root FROM rows_kept k WHERE k.id = d.id AND d.status = 'decided';
SET CONSTRAINTS ALL IMMEDIATE;
SET CONSTRAINTS ALL DEFERRED;
DROP FUNCTION billing_group_of(bigint);
CREATE FUNCTION billing_duplicate_of_root() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM billing_duplicate mine JOIN billing_duplicate other ON other.status = 'decided'
            AND (other.asset_id = mine.survivor_id OR other.survivor_id = mine.asset_id)
        WHERE mine.id = NEW.id AND mine.status = 'decided')
    THEN
        PERFORM once_refuse('duplicate_of_root', 'a survivor is no duplicate itself');
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER billing_duplicate_of_root AFTER INSERT OR UPDATE ON billing_duplicate
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION billing_duplicate_of_root();
