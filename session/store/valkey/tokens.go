package valkey

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"steno/messages"
	"steno/session/store"
)

// tokens implements store.Tokens.
type tokens struct {
	server *server
	writer writer
}

func newTokens(w writer) tokens { return tokens{w.server, w} }

var (
	tokenAddScript     = Scripts.Script("token_add", "record", "token")
	tokenGetScript     = Scripts.Script("token_get", "token")
	tokenListScript    = Scripts.Script("token_list", "token")
	tokenMissingScript = Scripts.Script("token_missing", "token")
	tokenRemoveScript  = Scripts.Script("token_remove", "token")
	ticketAddScript    = Scripts.Script("ticket_add")
	ticketUseScript    = Scripts.Script("ticket_use")
)

// AddToken implements store.Tokens.
func (t tokens) AddToken(ctx context.Context, token store.Token) error {
	err := store.CheckToken(token)
	var fields []string
	if err == nil {
		fields, err = encodeToken(token)
	}
	if err == nil {
		args := []string{
			hex.EncodeToString(token.Hash), token.ID, token.Account, hex.EncodeToString(token.Key), millis(token.CreatedAt),
			t.server.ahead(token.ExpiresAt), strconv.Itoa(store.MaxTokens),
		}
		err = t.writer.persist(ctx, tokenAddScript, append(append(args, fields...), "call", newNumber())...)
	}
	if err != nil {
		return fmt.Errorf("add token: %w", err)
	}
	return nil
}

// encodeToken returns a token as names and values of its hash.
func encodeToken(token store.Token) ([]string, error) {
	f := fieldList{}
	f.text("id", token.ID)
	f.text("account", token.Account)
	f.text("key", hex.EncodeToString(token.Key))
	f.text("name", token.Name)
	f.text("scopes", strconv.Itoa(int(token.Scopes)))
	f.text("kinds", strconv.FormatInt(int64(token.Kinds), 10))
	f.text("created", millis(token.CreatedAt))
	f.text("expires", millis(token.ExpiresAt))
	if token.Sessions != nil {
		list, err := json.Marshal(token.Sessions)
		if err != nil {
			return nil, err
		}
		f.text("sessions", string(list))
	}
	return f, nil
}

// decodeToken returns the token of a hash, in hex, from its fields.
func decodeToken(hash string, fields map[string]string) (token store.Token, err error) {
	n := fieldNumbers{fields: fields}
	token = store.Token{
		ID: fields["id"], Account: fields["account"], Name: fields["name"],
		Scopes: store.Scopes(n.integer("scopes")), Kinds: messages.Filter(n.integer("kinds")),
		CreatedAt: time.UnixMilli(n.integer("created")).UTC(), ExpiresAt: time.UnixMilli(n.integer("expires")).UTC(),
	}
	if token.Hash, err = hex.DecodeString(hash); err == nil {
		token.Key, err = hex.DecodeString(fields["key"])
	}
	if err == nil && fields["sessions"] != "" {
		err = json.Unmarshal([]byte(fields["sessions"]), &token.Sessions)
	}
	if err == nil {
		err = n.err
	}
	return token, err
}

// Token implements store.Tokens.
func (t tokens) Token(ctx context.Context, hash []byte) (store.Token, error) {
	name := hex.EncodeToString(hash)
	m, err := t.server.look(ctx, tokenGetScript, name)
	var left string
	var fields map[string]string
	if err == nil {
		left, fields, err = idAndFields(m)
	}
	var token store.Token
	if err == nil {
		token, err = decodeToken(name, fields)
	}
	if err == nil {
		err = t.translate(&token, left)
	}
	if err != nil {
		return store.Token{}, fmt.Errorf("look up token: %w", err)
	}
	return token, nil
}

// translate makes the end of a token that lasts so many milliseconds yet a time of this process's clock, where the clock of the node
// that made it was another one. Half a second is no difference: the answer took a while.
func (t tokens) translate(token *store.Token, left string) error {
	n, err := parseInteger(left)
	here := t.server.here().Add(time.Duration(n) * time.Millisecond)
	token.ExpiresAt = token.ExpiresAt.Add(here.Sub(token.ExpiresAt).Round(time.Second))
	return err
}

// ListTokens implements store.Tokens.
func (t tokens) ListTokens(ctx context.Context, account string) ([]store.Token, error) {
	var all []store.Token
	for skip, more := 0, true; more; skip += rowsAtOnce {
		rows, err := t.server.hashes(ctx, tokenListScript, account, strconv.Itoa(skip), strconv.Itoa(rowsAtOnce))
		if err != nil {
			return nil, fmt.Errorf("list tokens: %w", err)
		}
		for _, row := range rows {
			if len(row.fields) == 0 {
				continue // it has expired
			}
			token, err := decodeToken(row.id, row.fields)
			if err != nil {
				return nil, fmt.Errorf("list tokens: %w", err)
			}
			all = append(all, token)
		}
		more = len(rows) == rowsAtOnce
	}
	return all, nil
}

// MissingTokens implements store.Tokens.
func (t tokens) MissingTokens(ctx context.Context, hashes [][]byte) ([][]byte, error) {
	var missing [][]byte
	for part := range slices.Chunk(hashes, rowsAtOnce) {
		names := make([]string, len(part))
		for i, hash := range part {
			names[i] = hex.EncodeToString(hash)
		}
		m, err := t.server.look(ctx, tokenMissingScript, names...)
		if err == nil {
			names, err = m.AsStrSlice()
		}
		for i := 0; err == nil && i < len(names); i++ {
			var hash []byte
			hash, err = hex.DecodeString(names[i])
			missing = append(missing, hash)
		}
		if err != nil {
			return nil, fmt.Errorf("look for tokens: %w", err)
		}
	}
	return missing, nil
}

// RemoveToken implements store.Tokens.
func (t tokens) RemoveToken(ctx context.Context, account, id string) error {
	if _, err := t.writer.run(ctx, tokenRemoveScript, account, id); err != nil {
		return fmt.Errorf("remove token: %w", err)
	}
	return nil
}

// AddTicket implements store.Tokens.
func (t tokens) AddTicket(ctx context.Context, ticket store.Ticket) error {
	err := store.ErrInvalid
	if len(ticket.Hash) == sha256.Size && len(ticket.Credential) == sha256.Size && !ticket.ExpiresAt.IsZero() {
		err = t.writer.persist(ctx, ticketAddScript, hex.EncodeToString(ticket.Hash), hex.EncodeToString(ticket.Credential),
			t.server.ahead(ticket.ExpiresAt), strconv.Itoa(store.MaxTickets), newNumber())
	}
	if err != nil {
		return fmt.Errorf("add ticket: %w", err)
	}
	return nil
}

// UseTicket implements store.Tokens. A ticket whose answer is lost on the way is used.
func (t tokens) UseTicket(ctx context.Context, hash []byte) (store.Ticket, error) {
	m, err := t.server.run(ctx, ticketUseScript, hex.EncodeToString(hash))
	var parts []string
	if err == nil {
		parts, err = m.AsStrSlice()
	}
	if err == nil && len(parts) != 2 {
		err = fmt.Errorf("answer has %d parts", len(parts))
	}
	if err != nil {
		return store.Ticket{}, fmt.Errorf("use ticket: %w", err)
	}
	n := fieldNumbers{fields: map[string]string{"expires": parts[1]}}
	ticket := store.Ticket{Hash: hash, ExpiresAt: time.UnixMilli(n.integer("expires")).UTC()}
	if ticket.Credential, err = hex.DecodeString(parts[0]); err == nil {
		err = n.err
	}
	return ticket, err
}
