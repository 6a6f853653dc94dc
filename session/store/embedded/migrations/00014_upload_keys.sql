-- +goose Up
-- The API key that an upload belongs to, so that one key does not take all the room.
ALTER TABLE uploads ADD COLUMN key_hash BLOB;
