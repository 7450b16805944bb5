DROP TRIGGER once_count_answers ON ledger_receipt;
DROP TRIGGER once_count_looks ON ledger_observation;
DROP TRIGGER once_count_resolution ON ledger_event;
DROP FUNCTION once_count_answers();
DROP FUNCTION once_count_looks();
DROP FUNCTION once_count_resolution();
DROP FUNCTION once_within(double precision);
DROP FUNCTION once_hour(timestamptz);
DELETE FROM ledger_counted;
