-- +goose Up

-- What is searched for, compared or changed on its own is a column; the rest
-- of an action or a plan, which is written and read as a whole, is its
-- document (JSON). Times are microseconds since 1970 UTC. Text that is sorted
-- is sorted by its bytes, as everywhere else.

CREATE TABLE actions (
    name       TEXT COLLATE "C" PRIMARY KEY,
    state      TEXT   NOT NULL CHECK (state IN ('available', 'archived')),
    uses       BIGINT NOT NULL CHECK (uses >= 0),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    document   TEXT   NOT NULL
);

CREATE TABLE plans (
    plan_id      TEXT COLLATE "C" PRIMARY KEY,
    root_id      TEXT COLLATE "C" NOT NULL REFERENCES plans (plan_id),
    parent_id    TEXT COLLATE "C" REFERENCES plans (plan_id),
    action_name  TEXT COLLATE "C" NOT NULL REFERENCES actions (name),
    changeset_id TEXT COLLATE "C", -- the newest
    version      BIGINT NOT NULL CHECK (version >= 1),
    phase        TEXT   NOT NULL CHECK (phase IN ('strategize', 'execute', 'apply')),
    state        TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    document     TEXT   NOT NULL,
    CHECK (state IN ('queued', 'processing', 'errored', 'cancelled')
        OR state = 'complete' AND phase <> 'apply'
        OR state IN ('applied', 'constrained') AND phase = 'apply')
);

CREATE TABLE changesets (
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    changeset_id TEXT COLLATE "C" NOT NULL UNIQUE,
    plan_id      TEXT COLLATE "C" NOT NULL REFERENCES plans (plan_id),
    started_at   BIGINT NOT NULL,
    finished_at  BIGINT
);

ALTER TABLE plans ADD FOREIGN KEY (changeset_id) REFERENCES changesets (changeset_id);

CREATE INDEX changesets_of_plan ON changesets (plan_id, seq);

-- At most one changeset of a plan is open: the database itself says so.
CREATE UNIQUE INDEX changesets_open ON changesets (plan_id) WHERE finished_at IS NULL;

CREATE TABLE changes (
    seq          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    changeset_id TEXT COLLATE "C" NOT NULL REFERENCES changesets (changeset_id),
    operation    TEXT   NOT NULL CHECK (operation IN ('create', 'modify', 'delete', 'move')),
    path         TEXT   NOT NULL,
    moved_from   TEXT   NOT NULL,
    before_hash  TEXT   NOT NULL,
    after_hash   TEXT   NOT NULL,
    at           BIGINT NOT NULL
);

CREATE INDEX changes_of_changeset ON changes (changeset_id, seq);

-- Numbers the messages of the buses; see Bus.
CREATE SEQUENCE bus_generation;

-- +goose Down

DROP SEQUENCE bus_generation;

ALTER TABLE plans DROP COLUMN changeset_id;
DROP TABLE changes;
DROP TABLE changesets;
DROP TABLE plans;
DROP TABLE actions;
