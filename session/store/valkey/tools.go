package valkey

import (
	"context"

	"steno/session/store"
	"steno/session/store/valkey/outbox"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tokens"
)

// Keyring is the API keys and tokens of a store alone, for tools beside the gateways.
type Keyring struct {
	tokens.Keyring
	tokens.Tokens
	server *server.Conn
}

var (
	_ store.Keys   = (*Keyring)(nil)
	_ store.Tokens = (*Keyring)(nil)
)

// OpenKeys connects to the server for its API keys. Of the options the address and the node count.
// Errors: store.ErrAway.
func OpenKeys(ctx context.Context, o Options) (*Keyring, error) {
	s, w, err := connectTool(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Keyring{tokens.NewKeyring(w), tokens.NewTokens(w), s}, nil
}

// Close closes the connections.
func (k *Keyring) Close() error {
	k.server.Close()
	return nil
}

// Outbox is the callbacks of a store and what they are signed with, for tools beside the gateways.
type Outbox struct {
	*outbox.Outbox
	tokens.SecretList
	server *server.Conn
}

var (
	_ store.Outbox  = (*Outbox)(nil)
	_ store.Secrets = (*Outbox)(nil)
)

// OpenOutbox connects to the server as OpenKeys does.
func OpenOutbox(ctx context.Context, o Options) (*Outbox, error) {
	s, w, err := connectTool(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Outbox{outbox.New(w), tokens.NewSecrets(w), s}, nil
}

// Close closes the connections.
func (o *Outbox) Close() error {
	o.server.Close()
	return nil
}

// DataKeys is the keys that data is sealed with, for tools beside the gateways.
type DataKeys struct {
	tokens.DataKeyList
	server *server.Conn
}

// OpenDataKeys connects to the server as OpenKeys does.
func OpenDataKeys(ctx context.Context, o Options) (*DataKeys, error) {
	s, w, err := connectTool(ctx, o)
	if err != nil {
		return nil, err
	}
	return &DataKeys{tokens.NewDataKeys(w), s}, nil
}

// Close closes the connections.
func (k *DataKeys) Close() error {
	k.server.Close()
	return nil
}

func connectTool(ctx context.Context, o Options) (*server.Conn, server.Writer, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, server.Writer{}, err
	}
	s, err := server.Connect(ctx, o.server())
	return s, server.NewWriter(s, o.Durability), err
}
