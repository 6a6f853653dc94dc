-- +goose Up
-- Finished records are found by their age, to be removed when it is time.
CREATE INDEX records_by_end ON records (completed_at) WHERE completed_at IS NOT NULL;
