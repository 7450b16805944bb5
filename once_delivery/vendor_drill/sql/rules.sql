-- R10 for drills of vendors: what was agreed, seen and judged is kept. once_refuse, once_append_only and
-- once_no_truncate are the ledger's (ledger/sql/rules.sql).

CREATE FUNCTION once_vendor_drill_arrow(source text, target text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT source = target OR (source, target) IN (
        ('asked', 'open'), ('asked', 'broken'), ('open', 'counting'),
        ('counting', 'finished'), ('counting', 'expired'), ('counting', 'broken')
    )
$$;

-- What was agreed before it began stays; only how far it is may change, and only forwards.
CREATE FUNCTION once_vendor_drill_keeps() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    open_columns text[] := ARRAY['status', 'opened_at', 'ends_at', 'closed_at', 'closed_by_id', 'ended_at', 'woken_at', 'trouble'];
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM once_refuse('append_only', 'DELETE of a vendor drill is refused');
    END IF;
    IF to_jsonb(OLD) - open_columns <> to_jsonb(NEW) - open_columns THEN
        PERFORM once_refuse('append_only', 'what was agreed before a vendor drill is kept');
    END IF;
    IF NOT once_vendor_drill_arrow(OLD.status, NEW.status) THEN
        PERFORM once_refuse('vendor_drill_arrow', format('%s does not lead to %s', OLD.status, NEW.status));
    END IF;
    IF OLD.status = 'open' AND (OLD.ends_at <> NEW.ends_at OR OLD.opened_at <> NEW.opened_at) THEN
        PERFORM once_refuse('append_only', 'the time limit of an open vendor drill stays');
    END IF;
    RETURN NEW;
END $$;

-- Nothing is recorded, and so nothing forwarded, for a drill that is not open: whoever closes it waits for who is in.
CREATE FUNCTION once_vendor_drill_is_open() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    found record;
BEGIN
    SELECT status, ends_at INTO found FROM vendor_drill_vendordrill WHERE id = NEW.drill_id FOR SHARE;
    IF found.status <> 'open' OR clock_timestamp() >= found.ends_at THEN
        PERFORM once_refuse('vendor_drill_open', 'this vendor drill is not open');
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER once_keeps BEFORE UPDATE OR DELETE ON vendor_drill_vendordrill
    FOR EACH ROW EXECUTE FUNCTION once_vendor_drill_keeps();
CREATE TRIGGER once_is_open BEFORE INSERT ON vendor_drill_recordedcall
    FOR EACH ROW EXECUTE FUNCTION once_vendor_drill_is_open();
CREATE TRIGGER once_is_open BEFORE INSERT ON vendor_drill_declaration
    FOR EACH ROW EXECUTE FUNCTION once_vendor_drill_is_open();

CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON vendor_drill_recordedcall
    FOR EACH ROW EXECUTE FUNCTION once_append_only();
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON vendor_drill_recordedanswer
    FOR EACH ROW EXECUTE FUNCTION once_append_only();
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON vendor_drill_declaration
    FOR EACH ROW EXECUTE FUNCTION once_append_only();
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON vendor_drill_inventoryrow
    FOR EACH ROW EXECUTE FUNCTION once_append_only();
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON vendor_drill_itemverdict
    FOR EACH ROW EXECUTE FUNCTION once_append_only();

CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON vendor_drill_recordedcall EXECUTE FUNCTION once_no_truncate();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON vendor_drill_recordedanswer EXECUTE FUNCTION once_no_truncate();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON vendor_drill_declaration EXECUTE FUNCTION once_no_truncate();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON vendor_drill_inventoryrow EXECUTE FUNCTION once_no_truncate();
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON vendor_drill_itemverdict EXECUTE FUNCTION once_no_truncate();
