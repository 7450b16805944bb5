DROP TRIGGER billing_scope_stays ON billing_scope;
DROP FUNCTION billing_scope_stays();
DO $$
DECLARE
    kept text;
BEGIN
    FOREACH kept IN ARRAY ARRAY['costentry', 'unitentry', 'allocationrun', 'supplierdocument', 'supplierline', 'terms',
                                'fxrate', 'priceversion', 'ratecard', 'platformfee'] LOOP
        EXECUTE format('DROP TRIGGER once_no_truncate ON billing_%s', kept);
        EXECUTE format('DROP TRIGGER once_append_only ON billing_%s', kept);
    END LOOP;
END $$;
DROP TRIGGER billing_usage_stays ON billing_usage;
DROP TRIGGER billing_duplicate_of_root ON billing_duplicate;
DROP TRIGGER billing_books_stay ON billing_books;
DROP TRIGGER billing_period_begins ON billing_period;
DROP TRIGGER billing_period_changes ON billing_period;
DROP TRIGGER billing_document_posted ON billing_supplierdocument;
DROP TRIGGER billing_balanced ON billing_costentry;
DROP TRIGGER billing_unit_comes ON billing_unitentry;
DROP TRIGGER billing_entry_comes ON billing_costentry;
DROP FUNCTION billing_usage_stays();
DROP FUNCTION billing_duplicate_of_root();
DROP FUNCTION billing_books_stay();
DROP FUNCTION billing_period_begins();
DROP FUNCTION billing_period_changes();
DROP FUNCTION billing_document_posted();
DROP FUNCTION billing_balanced();
DROP FUNCTION billing_document_adds_up(bigint);
DROP FUNCTION billing_unit_comes();
DROP FUNCTION billing_entry_comes();
DROP FUNCTION billing_reverses(billing_costentry);
DROP FUNCTION billing_same_project(billing_costentry);
DROP FUNCTION billing_said(billing_unitentry);
DROP FUNCTION billing_said(billing_costentry);
DROP FUNCTION billing_hash(text, jsonb);
DROP FUNCTION billing_is_correction(bigint, date, date);
DROP FUNCTION billing_lock(bigint);
