-- +goose Up
-- The keys that data of accounts is sealed with, wrapped under a master key; empty: forgotten.
CREATE TABLE data_keys (
    account    TEXT    NOT NULL,
    number     INTEGER NOT NULL,
    wrapped    BLOB    NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account, number)
) STRICT, WITHOUT ROWID;
