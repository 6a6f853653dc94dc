-- +goose Up
CREATE TABLE uploads (
    id         TEXT PRIMARY KEY,
    account    TEXT    NOT NULL,
    filename   TEXT    NOT NULL,
    source     TEXT    NOT NULL,
    extension  TEXT    NOT NULL,
    size       INTEGER NOT NULL,
    duration   REAL,
    channels   INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX uploads_by_age ON uploads (created_at, id);

-- Uploads whose rows are gone and whose files have to follow.
CREATE TABLE upload_removals (
    id      TEXT PRIMARY KEY,
    account TEXT NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE records ADD COLUMN upload TEXT REFERENCES uploads (id);
ALTER TABLE records ADD COLUMN error_message TEXT;

CREATE INDEX records_by_upload ON records (upload) WHERE upload IS NOT NULL;

-- The queue: a row for each pre-recorded record that is neither done nor failed. Its lease is the one of that number.
CREATE TABLE jobs (
    account     TEXT    NOT NULL,
    record      INTEGER PRIMARY KEY REFERENCES records (n) ON DELETE CASCADE,
    created_at  INTEGER NOT NULL,           -- the record's
    attempts    INTEGER NOT NULL DEFAULT 0, -- leases that were not given back
    lease       INTEGER NOT NULL DEFAULT 0,
    lease_owner TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0  -- 0 for a job that no worker holds
) STRICT;

CREATE INDEX jobs_by_age ON jobs (created_at, record, lease_until);
CREATE INDEX jobs_by_lease ON jobs (lease_until);

INSERT INTO jobs (account, record, created_at)
    SELECT account, n, created_at FROM records WHERE kind = 'pre-recorded' AND status NOT IN ('done', 'error');

-- A row for each record that has had a delivery. Due is when its first pending delivery may be claimed: the end of the
-- claim where it is claimed, null where none is pending.
CREATE TABLE outboxes (
    account  TEXT    NOT NULL,
    record   INTEGER PRIMARY KEY REFERENCES records (n) ON DELETE CASCADE,
    last_seq INTEGER NOT NULL DEFAULT 0,
    due_at   INTEGER,
    claim    INTEGER NOT NULL DEFAULT 0,
    claimed  INTEGER -- number of the delivery being sent
) STRICT;

CREATE INDEX outboxes_due ON outboxes (due_at) WHERE due_at IS NOT NULL;

-- State is pending, sent, dead, or pruned: that keeps the event known.
CREATE TABLE deliveries (
    n          INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT    NOT NULL UNIQUE,
    account    TEXT    NOT NULL,
    record     INTEGER NOT NULL REFERENCES records (n) ON DELETE CASCADE,
    seq        INTEGER NOT NULL,
    event      TEXT    NOT NULL,
    url        TEXT    NOT NULL,
    method     TEXT    NOT NULL,
    body       BLOB    NOT NULL,
    state      TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    attempts   INTEGER NOT NULL DEFAULT 0,
    first_at   INTEGER, -- when it was first claimed
    sent_at    INTEGER,
    status     INTEGER NOT NULL DEFAULT 0,
    failure    TEXT    NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX deliveries_by_record ON deliveries (record, state);
CREATE INDEX deliveries_by_state ON deliveries (state);
CREATE INDEX deliveries_sent ON deliveries (sent_at) WHERE state = 'sent';
CREATE UNIQUE INDEX deliveries_once ON deliveries (record, event) WHERE seq = 0;
