-- +goose Up
-- Jobs are taken in turn over accounts, those whose audio is to be fetched apart from the others.
ALTER TABLE jobs ADD COLUMN fetch INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET fetch = 1 WHERE record IN (SELECT n FROM records WHERE upload IS NULL);

DROP INDEX jobs_by_age;
DROP INDEX jobs_by_lease;
CREATE INDEX jobs_by_age ON jobs (fetch, account, created_at, record, lease_until);
CREATE INDEX jobs_by_lease ON jobs (fetch, account, lease_until);
