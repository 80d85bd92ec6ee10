-- +goose Up

-- What is to be done, and by whom it is; see package jobs. Times are by the
-- database's clock.

CREATE TABLE jobs (
    job_id     TEXT NOT NULL PRIMARY KEY,
    kind       TEXT NOT NULL,
    payload    BYTEA,
    result     BYTEA,
    state      TEXT NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    version    BIGINT NOT NULL CHECK (version >= 1),
    fence      BIGINT NOT NULL, -- of the last claim
    attempt    BIGINT NOT NULL,
    attempts   BIGINT NOT NULL,
    cancelling BIGINT NOT NULL,
    worker     TEXT NOT NULL,
    lease_ends BIGINT NOT NULL,
    run_after  BIGINT NOT NULL,
    message    TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX jobs_by_state ON jobs (state, job_id);

-- +goose Down

DROP TABLE jobs;
