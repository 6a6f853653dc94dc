// Package tokens keeps the API keys, tokens, tickets and secrets of callbacks of a store on a
// Valkey server. Keys and secrets are in blob storage as well, for a server that loses everything.
package tokens

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
	"steno/session/store/valkey/server"
)

// Tokens implements store.Tokens.
type Tokens struct {
	server *server.Conn
	writer server.Writer
}

func NewTokens(w server.Writer) Tokens { return Tokens{w.Conn, w} }

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
func (t Tokens) AddToken(ctx context.Context, token store.Token) error {
	err := store.CheckToken(token)
	var fields []string
	if err == nil {
		fields, err = encodeToken(token)
	}
	if err == nil {
		args := []string{
			hex.EncodeToString(token.Hash), token.ID, token.Account, hex.EncodeToString(token.Key),
			server.Millis(token.CreatedAt),
			t.server.Ahead(token.ExpiresAt), strconv.Itoa(store.MaxTokens),
		}
		err = t.writer.Persist(ctx, tokenAddScript, append(append(args, fields...), "call", server.NewNumber())...)
	}
	if err != nil {
		return fmt.Errorf("add token: %w", err)
	}
	return nil
}

// encodeToken returns a token as names and values of its hash.
func encodeToken(token store.Token) ([]string, error) {
	f := server.FieldList{}
	f.Add("id", token.ID)
	f.Add("account", token.Account)
	f.Add("key", hex.EncodeToString(token.Key))
	f.Add("name", token.Name)
	f.Add("scopes", strconv.Itoa(int(token.Scopes)))
	f.Add("kinds", strconv.FormatInt(int64(token.Kinds), 10))
	f.Add("created", server.Millis(token.CreatedAt))
	f.Add("expires", server.Millis(token.ExpiresAt))
	if token.Sessions != nil {
		list, err := json.Marshal(token.Sessions)
		if err != nil {
			return nil, err
		}
		f.Add("sessions", string(list))
	}
	return f, nil
}

// decodeToken returns the token of a hash, in hex, from its fields.
func decodeToken(hash string, fields map[string]string) (token store.Token, err error) {
	n := server.Numbers{Fields: fields}
	token = store.Token{
		ID: fields["id"], Account: fields["account"], Name: fields["name"],
		Scopes: store.Scopes(n.Integer("scopes")), Kinds: messages.Filter(n.Integer("kinds")),
		CreatedAt: time.UnixMilli(n.Integer("created")).UTC(), ExpiresAt: time.UnixMilli(n.Integer("expires")).UTC(),
	}
	if token.Hash, err = hex.DecodeString(hash); err == nil {
		token.Key, err = hex.DecodeString(fields["key"])
	}
	if err == nil && fields["sessions"] != "" {
		err = json.Unmarshal([]byte(fields["sessions"]), &token.Sessions)
	}
	if err == nil {
		err = n.Err
	}
	return token, err
}

// Token implements store.Tokens.
func (t Tokens) Token(ctx context.Context, hash []byte) (store.Token, error) {
	name := hex.EncodeToString(hash)
	m, err := t.server.Look(ctx, tokenGetScript, name)
	var left string
	var fields map[string]string
	if err == nil {
		left, fields, err = server.IDAndFields(m)
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

// translate makes the end of a token that lasts so many milliseconds yet a time of this process's
// clock, where the clock of the node that made it was another one. Half a second is no difference:
// the answer took a while.
func (t Tokens) translate(token *store.Token, left string) error {
	n, err := server.ParseInteger(left)
	here := t.server.Here().Add(time.Duration(n) * time.Millisecond)
	token.ExpiresAt = token.ExpiresAt.Add(here.Sub(token.ExpiresAt).Round(time.Second))
	return err
}

// ListTokens implements store.Tokens.
func (t Tokens) ListTokens(ctx context.Context, account string) ([]store.Token, error) {
	var all []store.Token
	for skip, more := 0, true; more; skip += server.MaxRows {
		rows, err := t.server.Hashes(ctx, tokenListScript, account, strconv.Itoa(skip), strconv.Itoa(server.MaxRows))
		if err != nil {
			return nil, fmt.Errorf("list tokens: %w", err)
		}
		for _, row := range rows {
			if len(row.Fields) == 0 {
				continue // it has expired
			}
			token, err := decodeToken(row.ID, row.Fields)
			if err != nil {
				return nil, fmt.Errorf("list tokens: %w", err)
			}
			all = append(all, token)
		}
		more = len(rows) == server.MaxRows
	}
	return all, nil
}

// MissingTokens implements store.Tokens.
func (t Tokens) MissingTokens(ctx context.Context, hashes [][]byte) ([][]byte, error) {
	var missing [][]byte
	for part := range slices.Chunk(hashes, server.MaxRows) {
		names := make([]string, len(part))
		for i, hash := range part {
			names[i] = hex.EncodeToString(hash)
		}
		m, err := t.server.Look(ctx, tokenMissingScript, names...)
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
func (t Tokens) RemoveToken(ctx context.Context, account, id string) error {
	if _, err := t.writer.Run(ctx, tokenRemoveScript, account, id); err != nil {
		return fmt.Errorf("remove token: %w", err)
	}
	return nil
}

// AddTicket implements store.Tokens.
func (t Tokens) AddTicket(ctx context.Context, ticket store.Ticket) error {
	err := store.ErrInvalid
	if len(ticket.Hash) == sha256.Size && len(ticket.Credential) == sha256.Size && !ticket.ExpiresAt.IsZero() {
		err = t.writer.Persist(ctx, ticketAddScript, hex.EncodeToString(ticket.Hash),
			hex.EncodeToString(ticket.Credential),
			t.server.Ahead(ticket.ExpiresAt), strconv.Itoa(store.MaxTickets), server.NewNumber())
	}
	if err != nil {
		return fmt.Errorf("add ticket: %w", err)
	}
	return nil
}

// UseTicket implements store.Tokens. A ticket whose answer is lost on the way is used.
func (t Tokens) UseTicket(ctx context.Context, hash []byte) (store.Ticket, error) {
	m, err := t.server.Run(ctx, ticketUseScript, hex.EncodeToString(hash))
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
	n := server.Numbers{Fields: map[string]string{"expires": parts[1]}}
	ticket := store.Ticket{Hash: hash, ExpiresAt: time.UnixMilli(n.Integer("expires")).UTC()}
	if ticket.Credential, err = hex.DecodeString(parts[0]); err == nil {
		err = n.Err
	}
	return ticket, err
}
