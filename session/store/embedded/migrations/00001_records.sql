-- +goose Up
CREATE TABLE records (
    n                     INTEGER PRIMARY KEY AUTOINCREMENT,
    account               TEXT    NOT NULL,
    id                    TEXT    NOT NULL UNIQUE,
    kind                  TEXT    NOT NULL,
    status                TEXT    NOT NULL,
    version               INTEGER NOT NULL,
    created_at            INTEGER NOT NULL, -- milliseconds since 1970, as all times here
    completed_at          INTEGER,
    stopped               INTEGER NOT NULL DEFAULT 0,
    socket                INTEGER NOT NULL,
    callback              INTEGER NOT NULL,
    token_hash            BLOB UNIQUE,
    error_code            INTEGER,
    seconds               REAL,
    channels              INTEGER NOT NULL,
    custom_metadata       TEXT,
    post_session_metadata TEXT    NOT NULL,
    params                TEXT    NOT NULL,
    result                TEXT
) STRICT;

CREATE TABLE events (
    account TEXT    NOT NULL,
    record  INTEGER NOT NULL REFERENCES records (n) ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    kind    INTEGER NOT NULL,
    key     TEXT    NOT NULL,
    body    BLOB    NOT NULL,
    PRIMARY KEY (record, seq),
    UNIQUE (record, key)
) STRICT;

CREATE TABLE checkpoints (
    account TEXT    NOT NULL,
    record  INTEGER NOT NULL REFERENCES records (n) ON DELETE CASCADE,
    lane    INTEGER NOT NULL,
    body    BLOB    NOT NULL,
    PRIMARY KEY (record, lane)
) STRICT;

-- Every value in a record's custom metadata: its path as a JSON array of keys, and its string form. An object
-- has a row of its own, its path followed by {}.
CREATE TABLE metadata (
    account    TEXT    NOT NULL,
    path       TEXT    NOT NULL,
    value      TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    record     INTEGER NOT NULL REFERENCES records (n) ON DELETE CASCADE,
    PRIMARY KEY (account, path, value, created_at, record)
) STRICT, WITHOUT ROWID;

CREATE INDEX metadata_by_record ON metadata (record, path, value);

CREATE TABLE api_keys (
    hash       BLOB PRIMARY KEY,
    account    TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
