-- +goose Up

-- Who may change a plan; see Claim. The fence is the number of the last claim.
-- The holder is empty if it was released; the time is by the database's clock.

ALTER TABLE plans ADD COLUMN claim_fence   INTEGER NOT NULL DEFAULT 0;
ALTER TABLE plans ADD COLUMN claim_holder  TEXT    NOT NULL DEFAULT '';
ALTER TABLE plans ADD COLUMN claim_expires INTEGER NOT NULL DEFAULT 0;

-- +goose Down

ALTER TABLE plans DROP COLUMN claim_expires;
ALTER TABLE plans DROP COLUMN claim_holder;
ALTER TABLE plans DROP COLUMN claim_fence;
