-- What retention may do to evidence: empty the columns named to the trigger, and of those named with a "~" take the words
-- of the objects (title and text) and nothing else. IDs, markers, hashes, versions and times stay.

CREATE FUNCTION once_without_words(objects jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN jsonb_typeof(objects) = 'array' THEN coalesce(
        (SELECT jsonb_agg(CASE WHEN jsonb_typeof(one) = 'object' THEN one - 'title' - 'content' ELSE one END ORDER BY place)
         FROM jsonb_array_elements(objects) WITH ORDINALITY AS held(one, place)), '[]'::jsonb)
    ELSE objects END
$$;

CREATE OR REPLACE FUNCTION once_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    old_row jsonb;
    new_row jsonb;
    purgeable text;
    emptied boolean;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        old_row := to_jsonb(OLD);
        new_row := to_jsonb(NEW);
        FOREACH purgeable IN ARRAY coalesce(TG_ARGV, '{}') LOOP
            IF left(purgeable, 1) = '~' THEN
                purgeable := substr(purgeable, 2);
                emptied := new_row -> purgeable = once_without_words(old_row -> purgeable);
            ELSE
                emptied := new_row -> purgeable IN ('""'::jsonb, '{}'::jsonb, '[]'::jsonb);
            END IF;
            IF emptied THEN
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

DROP TRIGGER once_append_only ON ledger_observation;
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON ledger_observation
    FOR EACH ROW EXECUTE FUNCTION once_append_only('candidates', 'detail', '~objects_seen');
