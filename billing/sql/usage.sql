-- What a provider said stays; that it has a price, that its line has come, and that it was told better is noted.
CREATE OR REPLACE FUNCTION billing_usage_stays() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    noted constant text[] := '{priced,settled,replaced}';
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - noted <> to_jsonb(NEW) - noted THEN
        PERFORM once_refuse('append_only', 'what a provider said is kept');
    END IF;
    RETURN NEW;
END $$;
