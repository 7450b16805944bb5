DROP TRIGGER once_draft_waits ON ledger_action;
DROP TRIGGER once_draft_waits_at_once ON ledger_action;
DROP FUNCTION once_draft_waits();
