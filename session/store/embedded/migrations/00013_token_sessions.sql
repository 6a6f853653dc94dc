-- +goose Up
-- The sessions that tokens are for, so that what a deleted session leaves in them is found.
CREATE TABLE token_sessions (
    session TEXT    NOT NULL,
    token   INTEGER NOT NULL REFERENCES tokens (n) ON DELETE CASCADE,
    PRIMARY KEY (session, token)
) STRICT, WITHOUT ROWID;

CREATE INDEX token_sessions_by_token ON token_sessions (token);

-- Tokens for sessions that were deleted before are of no use to anybody.
UPDATE tokens SET sessions = (SELECT json_group_array(value) FROM json_each(tokens.sessions) WHERE value IN (SELECT id FROM records))
    WHERE sessions IS NOT NULL;
DELETE FROM tokens WHERE sessions = '[]';

INSERT INTO token_sessions SELECT DISTINCT value, n FROM tokens, json_each(tokens.sessions) WHERE sessions IS NOT NULL;

-- +goose StatementBegin
CREATE TRIGGER sessions_of_token AFTER INSERT ON tokens WHEN NEW.sessions IS NOT NULL BEGIN
    INSERT INTO token_sessions SELECT DISTINCT value, NEW.n FROM json_each(NEW.sessions);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tokens_of_session AFTER DELETE ON records BEGIN
    UPDATE tokens SET sessions = (SELECT json_group_array(value) FROM json_each(tokens.sessions) WHERE value <> OLD.id)
        WHERE n IN (SELECT token FROM token_sessions WHERE session = OLD.id);
    DELETE FROM tokens WHERE sessions = '[]' AND n IN (SELECT token FROM token_sessions WHERE session = OLD.id);
    DELETE FROM token_sessions WHERE session = OLD.id;
END;
-- +goose StatementEnd
