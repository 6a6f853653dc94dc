-- +goose Up
-- Where, in bytes of a session's journal, silence is taken to come.
CREATE TABLE silences (
    account TEXT    NOT NULL,
    record  INTEGER NOT NULL REFERENCES records (n) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    PRIMARY KEY (record, at)
) STRICT, WITHOUT ROWID;
