-- +goose Up
-- What clients of live sessions have asked for, at places of their journals in bytes, in the order in which they did.
CREATE TABLE notes (
    account TEXT    NOT NULL,
    record  INTEGER NOT NULL REFERENCES records (n) ON DELETE CASCADE,
    number  INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    body    BLOB    NOT NULL,
    PRIMARY KEY (record, number)
) STRICT, WITHOUT ROWID;
