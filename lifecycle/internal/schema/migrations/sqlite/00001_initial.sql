-- +goose Up

-- What is searched for, compared or changed on its own is a column; the rest
-- of an action or a plan, which is written and read as a whole, is its
-- document (JSON). Times are microseconds since 1970 UTC.

CREATE TABLE actions (
    name       TEXT    NOT NULL PRIMARY KEY,
    state      TEXT    NOT NULL CHECK (state IN ('available', 'archived')),
    uses       INTEGER NOT NULL CHECK (uses >= 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    document   TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE plans (
    plan_id      TEXT    NOT NULL PRIMARY KEY,
    root_id      TEXT    NOT NULL REFERENCES plans (plan_id),
    parent_id    TEXT    REFERENCES plans (plan_id),
    action_name  TEXT    NOT NULL REFERENCES actions (name),
    changeset_id TEXT    REFERENCES changesets (changeset_id), -- the newest
    version      INTEGER NOT NULL CHECK (version >= 1),
    phase        TEXT    NOT NULL CHECK (phase IN ('strategize', 'execute', 'apply')),
    state        TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    document     TEXT    NOT NULL,
    CHECK (state IN ('queued', 'processing', 'errored', 'cancelled')
        OR state = 'complete' AND phase <> 'apply'
        OR state IN ('applied', 'constrained') AND phase = 'apply')
) STRICT;

CREATE TABLE changesets (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    changeset_id TEXT    NOT NULL UNIQUE,
    plan_id      TEXT    NOT NULL REFERENCES plans (plan_id),
    started_at   INTEGER NOT NULL,
    finished_at  INTEGER
) STRICT;

CREATE INDEX changesets_of_plan ON changesets (plan_id, seq);

-- At most one changeset of a plan is open: the database itself says so.
CREATE UNIQUE INDEX changesets_open ON changesets (plan_id) WHERE finished_at IS NULL;

CREATE TABLE changes (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    changeset_id TEXT    NOT NULL REFERENCES changesets (changeset_id),
    operation    TEXT    NOT NULL CHECK (operation IN ('create', 'modify', 'delete', 'move')),
    path         TEXT    NOT NULL,
    moved_from   TEXT    NOT NULL,
    before_hash  TEXT    NOT NULL,
    after_hash   TEXT    NOT NULL,
    at           INTEGER NOT NULL
) STRICT;

CREATE INDEX changes_of_changeset ON changes (changeset_id, seq);

-- +goose Down

DROP TABLE changes;
DROP TABLE changesets;
DROP TABLE plans;
DROP TABLE actions;
