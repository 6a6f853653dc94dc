-- +goose Up
-- The API key that asked for the job; null where an earlier program did not keep it.
ALTER TABLE records ADD COLUMN key_hash BLOB;

-- What callbacks are signed with. The newest of an account is the one with the highest number.
CREATE TABLE secrets (
    n          INTEGER PRIMARY KEY AUTOINCREMENT,
    account    TEXT    NOT NULL,
    secret     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account, secret)
) STRICT;
