DROP TRIGGER once_no_truncate ON reconciliation_caseevent;
DROP TRIGGER once_append_only ON reconciliation_caseevent;
