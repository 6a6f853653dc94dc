-- +goose Up
-- What a key allows, as bits; 15 is all. When it ends; null: it does not.
ALTER TABLE api_keys ADD COLUMN scopes INTEGER NOT NULL DEFAULT 15;
ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;

-- A token may be of a key that is not in api_keys but in the configuration.
CREATE TABLE tokens (
    n          INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT    NOT NULL UNIQUE,
    hash       BLOB    NOT NULL UNIQUE,
    account    TEXT    NOT NULL,
    key        BLOB    NOT NULL,
    name       TEXT    NOT NULL,
    scopes     INTEGER NOT NULL,
    kinds      INTEGER NOT NULL,
    sessions   TEXT, -- an array of JSON; null: all of the account
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX tokens_by_key ON tokens (key, expires_at);
CREATE INDEX tokens_by_account ON tokens (account, created_at, n);
CREATE INDEX tokens_by_end ON tokens (expires_at);

CREATE TABLE tickets (
    hash       BLOB PRIMARY KEY,
    credential BLOB    NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX tickets_by_credential ON tickets (credential, expires_at);
CREATE INDEX tickets_by_end ON tickets (expires_at);
-- +goose StatementBegin
CREATE TRIGGER tokens_of_key AFTER DELETE ON api_keys BEGIN
    DELETE FROM tokens WHERE key = OLD.hash;
END;
-- +goose StatementEnd

-- The logs of accounts: which events of sessions they hold, in the order in which they were logged.
CREATE TABLE account_events (
    n       INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT    NOT NULL,
    record  INTEGER NOT NULL REFERENCES records (n) ON DELETE CASCADE,
    seq     INTEGER NOT NULL
) STRICT;

CREATE INDEX account_events_in_order ON account_events (account, n);
CREATE INDEX account_events_by_record ON account_events (record);
