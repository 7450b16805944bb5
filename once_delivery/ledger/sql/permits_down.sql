DROP TRIGGER once_no_truncate ON ledger_usagereport;
DROP TRIGGER once_append_only ON ledger_usagereport;
DROP TRIGGER once_by_permit_is_fixed ON ledger_action;
DROP FUNCTION once_by_permit_is_fixed();
