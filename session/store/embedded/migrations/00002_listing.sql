-- +goose Up
-- Lists are answered from this index alone, but for the rows of the page.
CREATE INDEX records_by_age ON records (account, created_at, n, status, kind);

-- The few that a starting process has to look after.
CREATE INDEX records_unfinished ON records (created_at, n) WHERE status NOT IN ('done', 'error');

-- Sessions whose rows are gone and whose files have to follow.
CREATE TABLE removals (
    id      TEXT PRIMARY KEY,
    account TEXT NOT NULL
) STRICT, WITHOUT ROWID;
