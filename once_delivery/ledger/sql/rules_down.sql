DO $$
DECLARE
    found record;
BEGIN
    FOR found IN
        SELECT tgname, tgrelid::regclass AS relation FROM pg_trigger
        WHERE NOT tgisinternal AND tgname LIKE 'once\_%' AND tgrelid::regclass::text LIKE 'ledger\_%'
    LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', found.tgname, found.relation);
    END LOOP;
END $$;
DROP FUNCTION once_action_has_event();
DROP FUNCTION once_action_changes();
DROP FUNCTION once_action_starts_planned();
DROP FUNCTION once_arrow(text, text);
DROP FUNCTION once_no_truncate();
DROP FUNCTION once_append_only();
DROP FUNCTION once_refuse(text, text);
