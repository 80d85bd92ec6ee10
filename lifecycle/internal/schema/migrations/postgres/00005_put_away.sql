-- +goose Up

-- A plan that is finished can be put away: it is listed only for who asks for it.

ALTER TABLE plans ADD COLUMN archived SMALLINT NOT NULL DEFAULT 0 CHECK (archived IN (0, 1));

-- What refers to a plan or an action is looked for when it is deleted.

CREATE INDEX plans_by_root      ON plans (root_id);
CREATE INDEX plans_by_parent    ON plans (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX plans_by_action    ON plans (action_name);

-- +goose Down

DROP INDEX plans_by_action;
DROP INDEX plans_by_parent;
DROP INDEX plans_by_root;
ALTER TABLE plans DROP COLUMN archived;
