-- +goose Up
-- CRC-32C of what a row says, null in rows of earlier programs: SQLite does not notice bytes that change on the disk.
ALTER TABLE events ADD COLUMN sum INTEGER;
ALTER TABLE records ADD COLUMN result_sum INTEGER;

-- What the disk has lost of a session after its client was told that it is kept: a JSON array.
ALTER TABLE records ADD COLUMN losses TEXT;
