-- Pairs of assets: what is decided to be one makes groups, and every decision is kept.

DROP TRIGGER billing_duplicate_of_root ON billing_duplicate;
DROP FUNCTION billing_duplicate_of_root();

-- Everything that is one deliverable with the asset, itself included.
CREATE FUNCTION billing_group_of(asset bigint) RETURNS SETOF bigint LANGUAGE sql STABLE AS $$
    WITH RECURSIVE one(id) AS (
        SELECT asset
        UNION
        SELECT CASE WHEN d.asset_id = one.id THEN d.survivor_id ELSE d.asset_id END
        FROM one JOIN billing_duplicate d
            ON d.status = 'decided' AND (d.asset_id = one.id OR d.survivor_id = one.id)
    )
    SELECT id FROM one
$$;

-- The text of an asset that a decision was about: the one that was accepted last by then.
CREATE FUNCTION billing_text_at(asset bigint, moment timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT r.draft_id FROM review_review r
         WHERE r.task_id = a.task_id AND r.verdict = 'accepted' AND r.at <= moment AND r.at >= a.accepted_at
         ORDER BY r.at DESC, r.id DESC LIMIT 1),
        a.draft_id)
    FROM review_asset a WHERE a.id = asset
$$;

-- So far an asset had one row, and two assets could have one each about one another: the one that holds stays.
CREATE TEMPORARY TABLE pairs_kept ON COMMIT DROP AS
SELECT id, first_value(id) OVER (
    PARTITION BY least(asset_id, survivor_id), greatest(asset_id, survivor_id)
    ORDER BY status IN ('decided', 'promoted') DESC, status <> 'suggested' DESC, decided_at DESC NULLS LAST, id DESC
) AS kept FROM billing_duplicate;

INSERT INTO billing_duplicatedecision (
    duplicate_id, status, certain_by, cause, approval_id, record, reopened, asset_draft_id, survivor_draft_id,
    decided_by_id, second_id, decided_at, at)
SELECT k.kept, CASE d.status WHEN 'promoted' THEN 'decided' ELSE d.status END, d.certain_by, d.cause, d.approval_id,
       d.record, '', billing_text_at(later.id, coalesce(d.decided_at, d.found_at)),
       billing_text_at(earlier.id, coalesce(d.decided_at, d.found_at)), d.decided_by_id, d.second_id, d.decided_at,
       coalesce(d.decided_at, d.found_at)
FROM billing_duplicate d
JOIN pairs_kept k USING (id)
CROSS JOIN LATERAL (SELECT id FROM review_asset WHERE id IN (d.asset_id, d.survivor_id)
                    ORDER BY accepted_at DESC, id DESC LIMIT 1) later
CROSS JOIN LATERAL (SELECT id FROM review_asset WHERE id IN (d.asset_id, d.survivor_id) AND id <> later.id) earlier
WHERE d.status <> 'suggested'
ORDER BY coalesce(d.decided_at, d.found_at), d.id;

-- What waits was proposed about a row, and is read anew about the pair.
UPDATE billing_duplicateproposal SET dropped = 'pair' WHERE dropped = '';
UPDATE billing_duplicateproposal p SET duplicate_id = k.kept
FROM pairs_kept k
WHERE k.id = p.duplicate_id AND k.kept <> k.id
  AND NOT EXISTS (SELECT FROM billing_duplicateproposal other WHERE other.duplicate_id = k.kept);
DELETE FROM billing_duplicateproposal p USING pairs_kept k WHERE k.id = p.duplicate_id AND k.kept <> k.id;
UPDATE billing_duplicate d SET follows_id = k.kept FROM pairs_kept k WHERE k.id = d.follows_id AND k.kept <> k.id;
DELETE FROM billing_duplicate d USING pairs_kept k WHERE k.id = d.id AND k.kept <> k.id;

UPDATE billing_duplicate SET status = 'decided' WHERE status = 'promoted';
UPDATE billing_duplicate d SET asset_id = d.survivor_id, survivor_id = d.asset_id
FROM review_asset its, review_asset others
WHERE its.id = d.asset_id AND others.id = d.survivor_id
  AND (its.accepted_at, its.id) < (others.accepted_at, others.id);
UPDATE billing_duplicate SET
    asset_draft_id = billing_text_at(asset_id, coalesce(decided_at, found_at)),
    survivor_draft_id = billing_text_at(survivor_id, coalesce(decided_at, found_at));
-- What was said to be two, and is one by what was said of others since, waits for a person.
WITH asked AS (
    UPDATE billing_duplicate d SET
        status = 'suggested', certain_by = '', cause = 'undetermined', approval_id = NULL, record = '',
        reopened = 'others', decided_by_id = NULL, second_id = NULL, decided_at = NULL
    WHERE d.status IN ('dismissed', 'wanted') AND d.survivor_id IN (SELECT billing_group_of(d.asset_id))
    RETURNING d.*)
INSERT INTO billing_duplicatedecision (
    duplicate_id, status, certain_by, cause, record, reopened, asset_draft_id, survivor_draft_id, at)
SELECT id, status, certain_by, cause, record, reopened, asset_draft_id, survivor_draft_id, clock_timestamp() FROM asked;

SET CONSTRAINTS ALL IMMEDIATE; -- what waits for the commit keeps the tables from being changed
SET CONSTRAINTS ALL DEFERRED;
DROP FUNCTION billing_text_at(bigint, timestamptz);

-- A pair stays the pair of its two assets, both of its project, and is never deleted.
CREATE FUNCTION billing_pair_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM once_refuse('append_only', 'what was decided about a pair is kept');
    END IF;
    PERFORM billing_lock(NEW.project_id);
    IF TG_OP = 'UPDATE' AND (OLD.project_id, OLD.asset_id, OLD.survivor_id)
        IS DISTINCT FROM (NEW.project_id, NEW.asset_id, NEW.survivor_id)
    THEN
        PERFORM once_refuse('pair_stays', 'a pair stays the pair of its two assets');
    END IF;
    IF TG_OP = 'INSERT' AND EXISTS (SELECT FROM review_asset WHERE id IN (NEW.asset_id, NEW.survivor_id)
                                      AND project_id <> NEW.project_id)
    THEN
        PERFORM once_refuse('other_project', 'a pair is of assets of its own project');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER billing_pair_stays BEFORE INSERT OR UPDATE OR DELETE ON billing_duplicate
    FOR EACH ROW EXECUTE FUNCTION billing_pair_stays();

-- Every decision is kept: whoever changes what holds of a pair, what held before is on record.
CREATE FUNCTION billing_pair_said() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'suggested' AND (TG_OP = 'INSERT' OR OLD.status = 'suggested') THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' AND (
        OLD.status, OLD.certain_by, OLD.cause, OLD.approval_id, OLD.record, OLD.asset_draft_id, OLD.survivor_draft_id,
        OLD.decided_by_id, OLD.second_id, OLD.decided_at)
        IS NOT DISTINCT FROM (
        NEW.status, NEW.certain_by, NEW.cause, NEW.approval_id, NEW.record, NEW.asset_draft_id, NEW.survivor_draft_id,
        NEW.decided_by_id, NEW.second_id, NEW.decided_at)
    THEN
        RETURN NULL;
    END IF;
    INSERT INTO billing_duplicatedecision (
        duplicate_id, status, certain_by, cause, approval_id, record, reopened, asset_draft_id, survivor_draft_id,
        decided_by_id, second_id, decided_at, at)
    VALUES (
        NEW.id, NEW.status, NEW.certain_by, NEW.cause, NEW.approval_id, NEW.record, NEW.reopened, NEW.asset_draft_id,
        NEW.survivor_draft_id, NEW.decided_by_id, NEW.second_id, NEW.decided_at, clock_timestamp());
    RETURN NULL;
END $$;
CREATE TRIGGER billing_pair_said AFTER INSERT OR UPDATE ON billing_duplicate
    FOR EACH ROW EXECUTE FUNCTION billing_pair_said();

CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON billing_duplicatedecision
    FOR EACH ROW EXECUTE FUNCTION once_append_only();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON billing_duplicatedecision EXECUTE FUNCTION once_no_truncate();

-- No two of a group are said to be two.
CREATE FUNCTION billing_pairs_agree() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    members bigint[];
BEGIN
    -- as the rows are at the commit: this one may have been changed again since
    IF NOT EXISTS (SELECT FROM billing_duplicate WHERE id = NEW.id AND status <> 'suggested')
       OR NOT EXISTS (SELECT FROM billing_duplicate
                      WHERE project_id = NEW.project_id AND status IN ('dismissed', 'wanted'))
    THEN
        RETURN NULL;
    END IF;
    members := ARRAY(SELECT billing_group_of(NEW.asset_id));
    IF EXISTS (SELECT FROM billing_duplicate two WHERE two.status IN ('dismissed', 'wanted')
                 AND two.asset_id = ANY (members) AND two.survivor_id = ANY (members))
    THEN
        PERFORM once_refuse('pairs_agree', 'two assets of one group are said to be two');
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER billing_pairs_agree AFTER INSERT OR UPDATE ON billing_duplicate
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION billing_pairs_agree();
