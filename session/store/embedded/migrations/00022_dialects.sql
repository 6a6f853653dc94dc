-- +goose Up
-- How many milliseconds a live session waits for its client once its holder is lost, 0: a resume window; and a header of the job's
-- callback, which is secret.
ALTER TABLE records ADD COLUMN grace INTEGER NOT NULL DEFAULT 0;
ALTER TABLE records ADD COLUMN callback_auth BLOB;
