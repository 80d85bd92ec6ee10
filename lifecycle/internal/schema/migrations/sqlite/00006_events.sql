-- +goose Up

-- What has happened to plans, for those who follow it; see Service.Events. The
-- database itself writes it, in the step that changes the plan, whoever does that.
-- Positions have no gaps and are in the order of the commits, for one transaction
-- writes at a time. Times are by the database's clock. An event outlives its plan.

CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    plan_id  TEXT    NOT NULL,
    version  INTEGER NOT NULL,
    phase    TEXT    NOT NULL,
    state    TEXT    NOT NULL,
    archived INTEGER NOT NULL,
    deleted  INTEGER NOT NULL,
    at       INTEGER NOT NULL
) STRICT;

-- One row: the position of the last event that was pruned.
CREATE TABLE events_pruned (position INTEGER NOT NULL) STRICT;
INSERT INTO events_pruned VALUES (0);

-- +goose StatementBegin
CREATE TRIGGER plans_inserted AFTER INSERT ON plans BEGIN
    INSERT INTO events (plan_id, version, phase, state, archived, deleted, at)
    VALUES (NEW.plan_id, NEW.version, NEW.phase, NEW.state, NEW.archived, 0, CAST(unixepoch('subsec') * 1000000 AS INTEGER));
END;
-- +goose StatementEnd

-- A plan that has progressed has gone two versions: it was complete in between.
-- +goose StatementBegin
CREATE TRIGGER plans_updated AFTER UPDATE OF version ON plans WHEN NEW.version <> OLD.version BEGIN
    INSERT INTO events (plan_id, version, phase, state, archived, deleted, at)
    SELECT NEW.plan_id, OLD.version + 1, OLD.phase, 'complete', OLD.archived, 0, CAST(unixepoch('subsec') * 1000000 AS INTEGER)
    WHERE NEW.version = OLD.version + 2 AND OLD.state = 'processing' AND NEW.state = 'queued';
    INSERT INTO events (plan_id, version, phase, state, archived, deleted, at)
    VALUES (NEW.plan_id, NEW.version, NEW.phase, NEW.state, NEW.archived, 0, CAST(unixepoch('subsec') * 1000000 AS INTEGER));
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER plans_deleted AFTER DELETE ON plans BEGIN
    INSERT INTO events (plan_id, version, phase, state, archived, deleted, at)
    VALUES (OLD.plan_id, OLD.version + 1, OLD.phase, OLD.state, OLD.archived, 1, CAST(unixepoch('subsec') * 1000000 AS INTEGER));
END;
-- +goose StatementEnd

-- +goose Down

DROP TRIGGER plans_deleted;
DROP TRIGGER plans_updated;
DROP TRIGGER plans_inserted;
DROP TABLE events_pruned;
DROP TABLE events;
