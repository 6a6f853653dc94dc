-- +goose Up
-- The languages that a job runs with, an array of JSON; null: those of its request.
ALTER TABLE records ADD COLUMN languages TEXT;
-- What its client was told of the request, an array of JSON; null: nothing.
ALTER TABLE records ADD COLUMN warnings TEXT;
