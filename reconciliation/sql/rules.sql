-- R10 for what people do with cases. once_append_only is the ledger's (ledger/sql/rules.sql).
CREATE TRIGGER once_append_only BEFORE UPDATE OR DELETE ON reconciliation_caseevent
    FOR EACH ROW EXECUTE FUNCTION once_append_only('text');
CREATE TRIGGER once_no_truncate BEFORE TRUNCATE ON reconciliation_caseevent EXECUTE FUNCTION once_no_truncate();
