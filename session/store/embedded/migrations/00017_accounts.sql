-- +goose Up
-- What accounts may have, as JSON. Those without a row have what the configuration says.
CREATE TABLE quotas (
    account TEXT PRIMARY KEY,
    quota   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What the sessions and jobs of an account that ended on a day, counted from 1970, have used. It outlives their records.
CREATE TABLE usage (
    day     INTEGER NOT NULL,
    account TEXT    NOT NULL,
    model   TEXT    NOT NULL,
    item    TEXT    NOT NULL,
    amount  INTEGER NOT NULL,
    PRIMARY KEY (day, account, model, item)
) STRICT, WITHOUT ROWID;

-- The unfinished sessions of an account are counted with each new one.
CREATE INDEX records_live ON records (account) WHERE kind = 'live' AND status NOT IN ('done', 'error');
