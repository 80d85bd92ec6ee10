-- +goose Up

-- What is to be done, and by whom it is; see package jobs. Times are by the
-- database's clock.

CREATE TABLE jobs (
    job_id     TEXT NOT NULL PRIMARY KEY,
    kind       TEXT NOT NULL,
    payload    BLOB,
    result     BLOB,
    state      TEXT NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    version    INTEGER NOT NULL CHECK (version >= 1),
    fence      INTEGER NOT NULL, -- of the last claim
    attempt    INTEGER NOT NULL,
    attempts   INTEGER NOT NULL,
    cancelling INTEGER NOT NULL,
    worker     TEXT NOT NULL,
    lease_ends INTEGER NOT NULL,
    run_after  INTEGER NOT NULL,
    message    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_by_state ON jobs (state, job_id);

-- +goose Down

DROP TABLE jobs;
