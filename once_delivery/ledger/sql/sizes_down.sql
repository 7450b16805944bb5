DROP TRIGGER once_count_actions ON ledger_action;
DROP TRIGGER once_count_references ON ledger_batchtask;
DROP FUNCTION once_count_actions();
DROP FUNCTION once_count_references();
