-- +goose Up
-- Events have a number of their own, in the order in which they were logged, and the log of an account is an index of them. So
-- an event is one row in one table. VACUUM keeps numbers that are declared.
CREATE TABLE numbered_events (
    number  INTEGER PRIMARY KEY,
    account TEXT    NOT NULL,
    record  INTEGER NOT NULL REFERENCES records (n) ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    kind    INTEGER NOT NULL,
    key     TEXT    NOT NULL,
    body    BLOB    NOT NULL,
    UNIQUE (record, seq),
    UNIQUE (record, key)
) STRICT;

-- Rows were numbered upwards, so they stay in order.
INSERT INTO numbered_events SELECT rowid, account, record, seq, kind, key, body FROM events ORDER BY rowid;
DROP TABLE events;
DROP TABLE account_events;
ALTER TABLE numbered_events RENAME TO events;

-- The kinds of store.AccountKinds: start_session, end_session and final.
CREATE INDEX events_of_account ON events (account, number) WHERE kind IN (4, 7, 11);

-- The greatest number of an event that may have gone with its record: a number is not given again.
CREATE TABLE events_end (number INTEGER NOT NULL) STRICT;
INSERT INTO events_end SELECT coalesce(max(number), 0) FROM events;
-- +goose StatementBegin
CREATE TRIGGER events_end_of_record BEFORE DELETE ON records BEGIN
    UPDATE events_end SET number = max(number, (SELECT coalesce(max(number), 0) FROM events));
END;
-- +goose StatementEnd
