-- R10 for probes: what was measured and what a probe was about to make is kept. The words are those of the ledger's
-- rules: a check_violation whose message begins with the rule's name.

CREATE FUNCTION once_probe_keeps() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    old_row jsonb;
    new_row jsonb;
    open_column text;
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        IF coalesce(current_setting('once.may_truncate', true), '') = 'on' THEN
            RETURN NULL;
        END IF;
    ELSIF TG_OP = 'UPDATE' THEN
        old_row := to_jsonb(OLD);
        new_row := to_jsonb(NEW);
        -- arguments name the columns that may still change
        FOREACH open_column IN ARRAY coalesce(TG_ARGV, '{}') LOOP
            old_row := old_row - open_column;
            new_row := new_row - open_column;
        END LOOP;
        IF old_row = new_row THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'append_only: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'check_violation', CONSTRAINT = 'append_only';
END $$;

CREATE TRIGGER once_keeps BEFORE UPDATE OR DELETE ON targets_measurement
    FOR EACH ROW EXECUTE FUNCTION once_probe_keeps();
CREATE TRIGGER once_keeps BEFORE UPDATE OR DELETE ON targets_probe
    FOR EACH ROW EXECUTE FUNCTION once_probe_keeps('status', 'finished_at');
CREATE TRIGGER once_keeps BEFORE UPDATE OR DELETE ON targets_probemarker
    FOR EACH ROW EXECUTE FUNCTION once_probe_keeps('requests', 'answered', 'arrives_until', 'closed_at');
CREATE TRIGGER once_keeps BEFORE UPDATE OR DELETE ON targets_probeobject
    FOR EACH ROW EXECUTE FUNCTION once_probe_keeps('url', 'removed_at', 'why_left');

CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON targets_measurement EXECUTE FUNCTION once_probe_keeps();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON targets_probe EXECUTE FUNCTION once_probe_keeps();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON targets_probemarker EXECUTE FUNCTION once_probe_keeps();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON targets_probeobject EXECUTE FUNCTION once_probe_keeps();
