DROP TRIGGER once_append_only ON ledger_observation;
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON ledger_observation
    FOR EACH ROW EXECUTE FUNCTION once_append_only('candidates', 'detail');

CREATE OR REPLACE FUNCTION once_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    old_row jsonb;
    new_row jsonb;
    purgeable text;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        old_row := to_jsonb(OLD);
        new_row := to_jsonb(NEW);
        FOREACH purgeable IN ARRAY coalesce(TG_ARGV, '{}') LOOP
            IF new_row -> purgeable IN ('""'::jsonb, '{}'::jsonb, '[]'::jsonb) THEN
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

DROP FUNCTION once_without_words(jsonb);
