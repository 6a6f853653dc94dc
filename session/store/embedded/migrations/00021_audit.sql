-- +goose Up
-- The audit log: what lines are found by, and the rest of them.
CREATE TABLE audit (
    n       INTEGER PRIMARY KEY AUTOINCREMENT,
    at      INTEGER NOT NULL, -- milliseconds since 1970
    account TEXT    NOT NULL,
    action  TEXT    NOT NULL,
    body    BLOB    NOT NULL
) STRICT;

CREATE INDEX audit_by_age ON audit (at);
CREATE INDEX audit_by_account ON audit (account, n);
CREATE INDEX audit_by_action ON audit (action, n);

-- 1: the sessions that a key has opened go on after its end.
ALTER TABLE api_keys ADD COLUMN outlived INTEGER NOT NULL DEFAULT 0;
