-- What the entries come to, kept where they come in. The ledgers are append-only, so that adding is all there is to do.

CREATE FUNCTION billing_costs_come_to() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO billing_costsum AS s (project_id, posted_period, origin_period, correction, kind, bucket, sub_bucket, cause,
        bearer, grade, amount, tax_memo, entries)
    SELECT project_id, posted_period, origin_period, correction, kind, bucket, sub_bucket, cause, bearer, grade,
           sum(amount), sum(tax_memo), count(*)
    FROM came GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ON CONFLICT (project_id, posted_period, origin_period, correction, kind, bucket, sub_bucket, cause, bearer, grade)
    DO UPDATE SET amount = s.amount + EXCLUDED.amount, tax_memo = s.tax_memo + EXCLUDED.tax_memo,
        entries = s.entries + EXCLUDED.entries;
    RETURN NULL;
END $$;
CREATE TRIGGER billing_costs_come_to AFTER INSERT ON billing_costentry REFERENCING NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION billing_costs_come_to();

CREATE FUNCTION billing_units_come_to() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO billing_unitsum AS s (project_id, posted_period, origin_period, sign, entries)
    SELECT project_id, posted_period, origin_period, sum(sign), count(*) FROM came GROUP BY 1, 2, 3
    ON CONFLICT (project_id, posted_period, origin_period)
    DO UPDATE SET sign = s.sign + EXCLUDED.sign, entries = s.entries + EXCLUDED.entries;
    RETURN NULL;
END $$;
CREATE TRIGGER billing_units_come_to AFTER INSERT ON billing_unitentry REFERENCING NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION billing_units_come_to();

-- what is there already
INSERT INTO billing_costsum (project_id, posted_period, origin_period, correction, kind, bucket, sub_bucket, cause, bearer,
    grade, amount, tax_memo, entries)
SELECT project_id, posted_period, origin_period, correction, kind, bucket, sub_bucket, cause, bearer, grade,
       sum(amount), sum(tax_memo), count(*)
FROM billing_costentry GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
INSERT INTO billing_unitsum (project_id, posted_period, origin_period, sign, entries)
SELECT project_id, posted_period, origin_period, sum(sign), count(*) FROM billing_unitentry GROUP BY 1, 2, 3;
