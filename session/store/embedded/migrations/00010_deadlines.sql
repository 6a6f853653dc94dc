-- +goose Up
-- When a live session that is not finished, and that no handle holds, is due to be finished.
ALTER TABLE records ADD COLUMN deadline INTEGER;
CREATE INDEX records_by_deadline ON records (deadline) WHERE kind = 'live' AND status NOT IN ('done', 'error');
