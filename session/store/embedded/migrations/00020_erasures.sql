-- +goose Up
-- What was erased, by marks of its ids under a key of this store alone: a backup that still has it is told by them.
CREATE TABLE erasures (
    mark  BLOB    NOT NULL,
    parts INTEGER NOT NULL, -- of a record, a set of store.Parts; 0: the record itself
    at    INTEGER NOT NULL, -- milliseconds since 1970
    PRIMARY KEY (mark, parts)
) STRICT, WITHOUT ROWID;

CREATE INDEX erasures_by_age ON erasures (at);

-- The key of the marks, made with the first of them.
CREATE TABLE erasure_key (
    n   INTEGER PRIMARY KEY CHECK (n = 1),
    key BLOB NOT NULL
) STRICT;
