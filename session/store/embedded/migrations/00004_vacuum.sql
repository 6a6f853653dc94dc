-- +goose NO TRANSACTION
-- +goose Up
-- Earlier programs left what was deleted in pages that are free.
VACUUM;
