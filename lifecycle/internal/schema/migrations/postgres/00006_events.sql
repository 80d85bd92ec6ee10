-- +goose Up

-- What has happened to plans, for those who follow it; see Service.Events. The
-- database itself writes it, in the step that changes the plan, whoever does that.
-- Times are by the database's clock. An event outlives its plan.
--
-- Two transactions can commit in another order than that in which they have got
-- their numbers, so whoever pages by seq misses the late one. So an event has no
-- position when it is written: it gets one when it is first looked for, which is after
-- its commit, from one who gives positions at a time and gives them in the order of
-- seq. Positions have no gaps. Of one plan seq is in the order of the versions,
-- because its writers wait for one another.

CREATE TABLE events (
    seq      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    position BIGINT, -- NULL until it is given
    plan_id  TEXT COLLATE "C" NOT NULL,
    version  BIGINT   NOT NULL,
    phase    TEXT     NOT NULL,
    state    TEXT     NOT NULL,
    archived SMALLINT NOT NULL,
    deleted  SMALLINT NOT NULL,
    at       BIGINT   NOT NULL
);

CREATE UNIQUE INDEX events_by_position ON events (position) WHERE position IS NOT NULL;
CREATE INDEX events_without_position ON events (seq) WHERE position IS NULL;

-- One row: the position of the last event that was pruned. Whoever gives positions
-- or prunes locks it.
CREATE TABLE events_pruned (position BIGINT NOT NULL);
INSERT INTO events_pruned VALUES (0);

-- A plan that has progressed has gone two versions: it was complete in between.
-- +goose StatementBegin
CREATE FUNCTION plan_event() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    now_micro CONSTANT BIGINT := CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT);
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO events (plan_id, version, phase, state, archived, deleted, at)
        VALUES (OLD.plan_id, OLD.version + 1, OLD.phase, OLD.state, OLD.archived, 1, now_micro);
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO events (plan_id, version, phase, state, archived, deleted, at)
        SELECT NEW.plan_id, OLD.version + 1, OLD.phase, 'complete', OLD.archived, 0, now_micro
        WHERE NEW.version = OLD.version + 2 AND OLD.state = 'processing' AND NEW.state = 'queued';
    END IF;
    INSERT INTO events (plan_id, version, phase, state, archived, deleted, at)
    VALUES (NEW.plan_id, NEW.version, NEW.phase, NEW.state, NEW.archived, 0, now_micro);
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER plans_inserted AFTER INSERT ON plans FOR EACH ROW EXECUTE FUNCTION plan_event();
CREATE TRIGGER plans_updated AFTER UPDATE OF version ON plans
    FOR EACH ROW WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION plan_event();
CREATE TRIGGER plans_deleted AFTER DELETE ON plans FOR EACH ROW EXECUTE FUNCTION plan_event();

-- +goose Down

DROP TRIGGER plans_deleted ON plans;
DROP TRIGGER plans_updated ON plans;
DROP TRIGGER plans_inserted ON plans;
DROP FUNCTION plan_event();
DROP TABLE events_pruned;
DROP TABLE events;
