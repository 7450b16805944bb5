-- Answers, look-ups and resolutions are counted as they are written down: a row a statement, which nobody else touches.

CREATE FUNCTION once_hour(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT date_bin('1 hour', at, '2000-01-01 00:00:00+00')
$$;

CREATE FUNCTION once_count_answers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ledger_counted (name, label, target_id, hour, many, seconds, latest, gathered)
    SELECT 'attempts', added.outcome, a.target_id, once_hour(added.received_at), count(*), 0, max(added.received_at), false
    FROM added JOIN ledger_action a ON a.id = added.action_id
    GROUP BY 2, 3, 4;
    RETURN NULL;
END $$;

CREATE FUNCTION once_count_looks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ledger_counted (name, label, many, seconds, gathered)
    SELECT 'look_ups', verdict, count(*), 0, false FROM added GROUP BY verdict;
    RETURN NULL;
END $$;

-- within how many seconds, by the borders of models/counted.py
CREATE FUNCTION once_within(took double precision) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(
        (SELECT min(border)::text FROM unnest(ARRAY[60, 300, 900, 3600, 14400, 86400, 259200]) border WHERE took <= border),
        '+Inf')
$$;

-- from becoming uncertain until it was something else than a question
CREATE FUNCTION once_count_resolution() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ledger_counted (name, label, many, seconds, gathered)
    SELECT 'resolved', once_within(began.took), 1, began.took, false
    FROM (
        SELECT extract(epoch FROM NEW.at - one.at)::double precision AS took FROM ledger_event one
        WHERE one.action_id = NEW.action_id AND one.to_state = 'uncertain' AND one.revision < NEW.revision
        ORDER BY one.revision DESC LIMIT 1
    ) began;
    RETURN NULL;
END $$;

-- what is there already
INSERT INTO ledger_counted (name, label, many, seconds, gathered)
SELECT 'attempts', outcome, count(*), 0, true FROM ledger_receipt GROUP BY outcome;
INSERT INTO ledger_counted (name, label, target_id, hour, many, seconds, latest, gathered)
SELECT 'attempts', r.outcome, a.target_id, once_hour(r.received_at), count(*), 0, max(r.received_at), true
FROM ledger_receipt r JOIN ledger_action a ON a.id = r.action_id
WHERE r.received_at > now() - interval '8 days' GROUP BY 2, 3, 4;
INSERT INTO ledger_counted (name, label, many, seconds, gathered)
SELECT 'look_ups', verdict, count(*), 0, true FROM ledger_observation GROUP BY verdict;
INSERT INTO ledger_counted (name, label, many, seconds, gathered)
SELECT 'resolved', once_within(began.took), count(*), sum(began.took), true
FROM ledger_event solved
CROSS JOIN LATERAL (
    SELECT extract(epoch FROM solved.at - one.at)::double precision AS took FROM ledger_event one
    WHERE one.action_id = solved.action_id AND one.to_state = 'uncertain' AND one.revision < solved.revision
    ORDER BY one.revision DESC LIMIT 1
) began
WHERE solved.from_state IN ('uncertain', 'reconcile') AND solved.to_state IN ('confirmed', 'accepted', 'planned', 'cancelled')
GROUP BY 2;

CREATE TRIGGER once_count_answers AFTER INSERT ON ledger_receipt
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION once_count_answers();
CREATE TRIGGER once_count_looks AFTER INSERT ON ledger_observation
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION once_count_looks();
CREATE TRIGGER once_count_resolution AFTER INSERT ON ledger_event FOR EACH ROW
    WHEN (NEW.from_state IN ('uncertain', 'reconcile') AND NEW.to_state IN ('confirmed', 'accepted', 'planned', 'cancelled'))
    EXECUTE FUNCTION once_count_resolution();
