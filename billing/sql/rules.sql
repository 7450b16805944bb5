-- The invariants of the two ledgers (I1-I9) that PostgreSQL itself upholds. once_append_only, once_no_truncate and
-- once_refuse are the ledger of deliveries' (once_delivery/ledger/sql/rules.sql).

-- One posting at a time for a project: numbers have no gap, and a close waits for what is being posted.
CREATE FUNCTION billing_lock(project bigint) RETURNS void LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('billing', project))
$$;

-- I2 and I3: posts into no closed month; true when the month that it belongs to is closed already.
CREATE FUNCTION billing_is_correction(project bigint, posted date, origin date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    found_status text;
BEGIN
    SELECT status INTO found_status FROM billing_period WHERE project_id = project AND month = posted;
    IF found_status IS NULL THEN
        PERFORM once_refuse('period_unknown', format('there is no period %s', posted));
    ELSIF found_status = 'closed' THEN
        PERFORM once_refuse('period_closed', format('the period %s is closed', posted));
    END IF;
    RETURN origin <> posted AND EXISTS (
        SELECT FROM billing_period WHERE project_id = project AND month = origin AND status = 'closed');
END $$;

CREATE FUNCTION billing_hash(prev text, said jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT encode(sha256(convert_to(prev || said::text, 'UTF8')), 'hex')
$$;

-- What the chain covers, in this order for ever: a column that comes later is not part of it.
CREATE FUNCTION billing_said(e billing_costentry) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_array(
        e.project_id, e.seq, e.posted_period, e.origin_period, e.incurred_on, e.correction, e.kind, e.bucket,
        e.sub_bucket, e.cause, e.bearer, e.amount, e.native_amount, e.native_currency, e.fx_rate, e.fx_date,
        e.fx_source, e.tax_treatment, e.tax_memo, e.task_id, e.attempt_id, e.asset_id, e.case_id, e.document_id,
        e.supplier_line_id, e.grade, e.reverses_id, e.corrects_id, e.allocation_run_id, e.transfer, e.approval_id,
        e.terms_id, e.source_key, e.description, e.details, e.actor, extract(epoch FROM e.created_at))
$$;
CREATE FUNCTION billing_said(u billing_unitentry) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_array(
        u.project_id, u.seq, u.sign, u.reason, u.asset_id, u.survivor_id, u.posted_period, u.origin_period,
        u.correction, u.approval_id, u.source_key, u.evidence, u.actor, extract(epoch FROM u.created_at))
$$;

-- I7: what an entry names is of its own project.
CREATE FUNCTION billing_same_project(e billing_costentry) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    same boolean := true;
BEGIN
    IF e.attempt_id IS NOT NULL THEN
        same := EXISTS (SELECT FROM ledger_attempt a JOIN ledger_action n ON n.id = a.action_id
                        WHERE a.id = e.attempt_id AND a.project_id = e.project_id
                          AND n.task_id = coalesce(e.task_id, n.task_id));
    ELSIF e.task_id IS NOT NULL THEN
        same := EXISTS (SELECT FROM ledger_task WHERE id = e.task_id AND project_id = e.project_id);
    END IF;
    IF same AND e.terms_id IS NOT NULL THEN
        same := EXISTS (SELECT FROM billing_terms WHERE id = e.terms_id AND project_id = e.project_id);
    END IF;
    IF same AND e.document_id IS NOT NULL THEN
        same := EXISTS (SELECT FROM billing_supplierdocument
                        WHERE id = e.document_id AND coalesce(project_id, e.project_id) = e.project_id);
    END IF;
    IF same AND e.supplier_line_id IS NOT NULL THEN
        same := EXISTS (SELECT FROM billing_supplierline WHERE id = e.supplier_line_id AND document_id = e.document_id);
    END IF;
    IF same AND e.allocation_run_id IS NOT NULL THEN
        same := EXISTS (SELECT FROM billing_allocationrun
                        WHERE id = e.allocation_run_id AND coalesce(project_id, e.project_id) = e.project_id);
    END IF;
    IF same AND e.asset_id IS NOT NULL THEN
        same := EXISTS (SELECT FROM review_asset WHERE id = e.asset_id AND project_id = e.project_id
                          AND task_id = coalesce(e.task_id, task_id));
    END IF;
    IF same AND e.case_id IS NOT NULL THEN
        same := EXISTS (SELECT FROM reconciliation_case WHERE id = e.case_id AND project_id = e.project_id);
    END IF;
    IF same AND e.approval_id IS NOT NULL THEN
        same := EXISTS (SELECT FROM reconciliation_approval WHERE id = e.approval_id AND project_id = e.project_id);
    END IF;
    IF same AND e.corrects_id IS NOT NULL THEN
        same := EXISTS (SELECT FROM billing_costentry WHERE id = e.corrects_id AND project_id = e.project_id);
    END IF;
    IF NOT same THEN
        PERFORM once_refuse('other_project', 'what an entry names belongs to its project and its task');
    END IF;
END $$;

-- I8: a reversal takes an entry back whole, an accrual is released whole, and neither is taken back itself. What stands
-- in a sum of its own (an allocation, a change of bearer) is undone by its like, never one side of it.
CREATE FUNCTION billing_reverses(e billing_costentry) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    original billing_costentry;
BEGIN
    SELECT * INTO original FROM billing_costentry WHERE id = e.reverses_id;
    IF original.project_id IS DISTINCT FROM e.project_id OR original.amount <> -e.amount
       OR (original.bearer, original.cause, original.sub_bucket, original.origin_period)
            <> (e.bearer, e.cause, e.sub_bucket, e.origin_period)
       OR (original.task_id, original.attempt_id, original.asset_id, original.document_id, original.supplier_line_id)
            IS DISTINCT FROM (e.task_id, e.attempt_id, e.asset_id, e.document_id, e.supplier_line_id)
    THEN
        PERFORM once_refuse('reversal_is_whole', 'a reversal takes back the whole entry, where it stands');
    END IF;
    IF original.kind NOT IN ('charge', 'labour', 'supplier_credit', 'fx_diff', 'accrual')
       OR (original.kind = 'accrual') <> (e.kind = 'accrual_release')
    THEN
        PERFORM once_refuse('not_reversible', format('%s of %s is refused', e.kind, original.kind));
    END IF;
END $$;

CREATE FUNCTION billing_entry_comes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    head text[] := string_to_array(current_setting('once.billing_costs', true), ':');
BEGIN
    IF head[1] IS DISTINCT FROM NEW.project_id::text THEN
        PERFORM billing_lock(NEW.project_id);
        SELECT ARRAY[NEW.project_id::text, e.seq::text, e.hash] INTO head FROM billing_costentry e
        WHERE e.project_id = NEW.project_id ORDER BY e.seq DESC LIMIT 1;
        head := coalesce(head, ARRAY[NEW.project_id::text, '0', ''])
            || (SELECT quantum::text FROM billing_books WHERE project_id = NEW.project_id);
    END IF;
    IF head[4] IS NULL OR NEW.amount % head[4]::numeric <> 0 THEN
        PERFORM once_refuse('amount_is_multiple', format('%s is no multiple of %s', NEW.amount, head[4]));
    END IF;
    -- what was found out for the row before holds: under the lock no month is closed (billing_period_changes forgets it)
    IF head[5] = NEW.posted_period::text AND head[6] = NEW.origin_period::text THEN
        NEW.correction := head[7]::boolean;
    ELSE
        NEW.correction := billing_is_correction(NEW.project_id, NEW.posted_period, NEW.origin_period);
        head[5:7] := ARRAY[NEW.posted_period::text, NEW.origin_period::text, NEW.correction::text];
    END IF;
    PERFORM billing_same_project(NEW);
    IF NEW.reverses_id IS NOT NULL THEN
        PERFORM billing_reverses(NEW);
    END IF;
    NEW.seq := head[2]::bigint + 1;
    NEW.prev_hash := head[3];
    NEW.created_at := clock_timestamp();
    NEW.hash := billing_hash(NEW.prev_hash, billing_said(NEW));
    PERFORM set_config('once.billing_costs', concat_ws(':', NEW.project_id, NEW.seq, NEW.hash, head[4], head[5], head[6],
        head[7]), true);
    PERFORM set_config('once.billing_document', '', true), set_config('once.billing_allocation', '', true);
    RETURN NEW;
END $$;
CREATE TRIGGER billing_entry_comes BEFORE INSERT ON billing_costentry
    FOR EACH ROW EXECUTE FUNCTION billing_entry_comes();

-- I9: one asset counts at most once.
CREATE FUNCTION billing_unit_comes() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER billing_unit_comes BEFORE INSERT ON billing_unitentry
    FOR EACH ROW EXECUTE FUNCTION billing_unit_comes();

-- I4 and I5, at the commit: a document is posted to its total, an allocation sums to its total, a transfer to 0.
-- An organisation's document is shared out whole, or waits to be.
CREATE FUNCTION billing_document_adds_up(document bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    wanted numeric;
    shared boolean;
    posted numeric;
BEGIN
    SELECT functional_total, project_id IS NULL INTO wanted, shared FROM billing_supplierdocument
    WHERE id = document AND kind IN ('invoice', 'credit_note');
    IF wanted IS NOT NULL THEN
        SELECT coalesce(sum(amount), 0) INTO posted FROM billing_costentry WHERE document_id = document;
        IF posted <> wanted AND NOT (shared AND posted = 0) THEN
            PERFORM once_refuse('document_adds_up', format('posted %s of a document of %s', posted, wanted));
        END IF;
    END IF;
END $$;

-- What the neighbour's check said holds here too: nothing was posted in between (billing_entry_comes).
CREATE FUNCTION billing_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wanted numeric;
BEGIN
    IF NEW.document_id IS NOT NULL
       AND current_setting('once.billing_document', true) IS DISTINCT FROM NEW.document_id::text
    THEN
        PERFORM billing_document_adds_up(NEW.document_id);
        PERFORM set_config('once.billing_document', NEW.document_id::text, true);
    END IF;
    IF NEW.allocation_run_id IS NOT NULL
       AND current_setting('once.billing_allocation', true) IS DISTINCT FROM NEW.allocation_run_id::text
    THEN
        SELECT total INTO wanted FROM billing_allocationrun WHERE id = NEW.allocation_run_id;
        IF (SELECT sum(amount) FROM billing_costentry WHERE allocation_run_id = NEW.allocation_run_id) <> wanted THEN
            PERFORM once_refuse('allocation_adds_up', 'an allocation sums to what it allocates');
        END IF;
        PERFORM set_config('once.billing_allocation', NEW.allocation_run_id::text, true);
    END IF;
    IF NEW.transfer IS NOT NULL AND
       (SELECT sum(amount) FROM billing_costentry WHERE transfer = NEW.transfer AND project_id = NEW.project_id) <> 0
    THEN
        PERFORM once_refuse('transfer_adds_up', 'both sides of a change of bearer sum to nothing');
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER billing_balanced AFTER INSERT ON billing_costentry DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.document_id IS NOT NULL OR NEW.allocation_run_id IS NOT NULL OR NEW.transfer IS NOT NULL)
    EXECUTE FUNCTION billing_balanced();

CREATE FUNCTION billing_document_posted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM billing_document_adds_up(NEW.id);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER billing_document_posted AFTER INSERT ON billing_supplierdocument
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION billing_document_posted();

-- Months go from open to held to closed, and back from held only.
CREATE FUNCTION billing_period_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('once.billing_costs', '', true);
    IF TG_OP = 'DELETE' OR OLD.status = 'closed' THEN
        PERFORM once_refuse('period_closed', 'a period is kept, and a closed one stays as it is');
    END IF;
    IF (OLD.project_id, OLD.month) IS DISTINCT FROM (NEW.project_id, NEW.month) THEN
        PERFORM once_refuse('period_arrow', 'a period stays the month that it is');
    END IF;
    IF NEW.status = 'closed' THEN
        IF OLD.status <> 'hold' THEN
            PERFORM once_refuse('period_arrow', 'a period is held before it is closed');
        END IF;
        PERFORM billing_lock(NEW.project_id);
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER billing_period_changes BEFORE UPDATE OR DELETE ON billing_period
    FOR EACH ROW EXECUTE FUNCTION billing_period_changes();

CREATE FUNCTION billing_period_begins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status <> 'open' THEN
        PERFORM once_refuse('period_arrow', 'a period begins as open');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER billing_period_begins BEFORE INSERT ON billing_period
    FOR EACH ROW EXECUTE FUNCTION billing_period_begins();

-- Amounts say nothing of their currency: what they are in stays once there is one.
CREATE FUNCTION billing_books_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.currency, OLD.quantum) IS DISTINCT FROM (NEW.currency, NEW.quantum) THEN
        PERFORM billing_lock(OLD.project_id);
        PERFORM set_config('once.billing_costs', '', true);
        IF EXISTS (SELECT FROM billing_costentry WHERE project_id = OLD.project_id) THEN
            PERFORM once_refuse('books_stay', 'the currency of accounts stays once something is posted');
        END IF;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER billing_books_stay BEFORE UPDATE ON billing_books
    FOR EACH ROW EXECUTE FUNCTION billing_books_stay();

-- A group of duplicates has one root: nothing is the duplicate of a duplicate.
CREATE FUNCTION billing_duplicate_of_root() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- as the row is at the commit: it may have been changed again since
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

-- What a provider said stays; that it has a price, and that its line has come, is noted.
CREATE FUNCTION billing_usage_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR to_jsonb(OLD) - '{priced,settled}'::text[] <> to_jsonb(NEW) - '{priced,settled}'::text[] THEN
        PERFORM once_refuse('append_only', 'what a provider said is kept');
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER billing_usage_stays BEFORE UPDATE OR DELETE ON billing_usage
    FOR EACH ROW EXECUTE FUNCTION billing_usage_stays();

-- I1
DO $$
DECLARE
    kept text;
BEGIN
    FOREACH kept IN ARRAY ARRAY['costentry', 'unitentry', 'allocationrun', 'supplierdocument', 'supplierline', 'terms',
                                'fxrate', 'priceversion', 'ratecard', 'platformfee'] LOOP
        EXECUTE format('CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON billing_%s '
                       'FOR EACH ROW EXECUTE FUNCTION once_append_only()', kept);
        EXECUTE format('CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON billing_%s '
                       'EXECUTE FUNCTION once_no_truncate()', kept);
    END LOOP;
END $$;

-- What vendors priced stays what they priced.
CREATE FUNCTION billing_scope_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.frozen_at IS NOT NULL AND (TG_OP = 'DELETE' OR to_jsonb(OLD) <> to_jsonb(NEW)) THEN
        PERFORM once_refuse('scope_is_frozen', 'a scope that was quoted on stays as it is');
    END IF;
    RETURN coalesce(NEW, OLD);
END $$;
CREATE TRIGGER billing_scope_stays BEFORE UPDATE OR DELETE ON billing_scope
    FOR EACH ROW EXECUTE FUNCTION billing_scope_stays();
