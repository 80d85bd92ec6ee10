-- +goose Up

-- Who has a resource; see package locks. The fence is the number of the last
-- lock of it, and stays when that is released; the owner is empty then.

CREATE TABLE locks (
    resource_type TEXT NOT NULL,
    resource_id   TEXT NOT NULL,
    owner         TEXT NOT NULL,
    fence         BIGINT NOT NULL CHECK (fence >= 1),
    acquired_at   BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL, -- by the database's clock
    PRIMARY KEY (resource_type, resource_id)
);
CREATE INDEX locks_by_owner ON locks (owner);

-- +goose Down

DROP TABLE locks;
