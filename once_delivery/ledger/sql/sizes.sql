-- How many actions a project has, how many tasks and actions a batch. Both triggers first lock the project's row until
-- the commit: a reference and an action that come to the same task at once would each miss the other.

CREATE FUNCTION once_count_actions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ledger_projectsize AS size (project_id, actions)
    SELECT project_id, count(*) FROM added GROUP BY project_id ORDER BY project_id
    ON CONFLICT (project_id) DO UPDATE SET actions = size.actions + excluded.actions;

    UPDATE ledger_batchsize size SET actions = size.actions + more.actions
    FROM (
        SELECT r.batch_id, count(*) AS actions FROM added JOIN ledger_batchtask r ON r.task_id = added.task_id
        GROUP BY r.batch_id
    ) more
    WHERE size.batch_id = more.batch_id;
    RETURN NULL;
END $$;

CREATE FUNCTION once_count_references() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ledger_projectsize AS size (project_id, actions)
    SELECT DISTINCT b.project_id, 0 FROM added JOIN ledger_batch b ON b.id = added.batch_id ORDER BY 1
    ON CONFLICT (project_id) DO UPDATE SET actions = size.actions;

    INSERT INTO ledger_batchsize AS size (batch_id, tasks, actions)
    SELECT added.batch_id, count(*), sum((SELECT count(*) FROM ledger_action a WHERE a.task_id = added.task_id))
    FROM added GROUP BY added.batch_id ORDER BY added.batch_id
    ON CONFLICT (batch_id) DO UPDATE
    SET tasks = size.tasks + excluded.tasks, actions = size.actions + excluded.actions;
    RETURN NULL;
END $$;

-- what is there already
INSERT INTO ledger_projectsize (project_id, actions)
SELECT project_id, count(*) FROM ledger_action GROUP BY project_id;
INSERT INTO ledger_batchsize (batch_id, tasks, actions)
SELECT r.batch_id, count(DISTINCT r.task_id), count(a.id)
FROM ledger_batchtask r LEFT JOIN ledger_action a ON a.task_id = r.task_id GROUP BY r.batch_id;

CREATE TRIGGER once_count_actions AFTER INSERT ON ledger_action
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION once_count_actions();
CREATE TRIGGER once_count_references AFTER INSERT ON ledger_batchtask
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION once_count_references();
