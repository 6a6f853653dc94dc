-- +goose Up
-- Sets of store.Parts: what is to be erased when a record is finished, and what was.
ALTER TABLE records ADD COLUMN transient INTEGER NOT NULL DEFAULT 0;
ALTER TABLE records ADD COLUMN stripped INTEGER NOT NULL DEFAULT 0;

CREATE INDEX records_transient ON records (completed_at) WHERE completed_at IS NOT NULL AND transient & ~stripped <> 0;
