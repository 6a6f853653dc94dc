// Package stores opens what a configuration names as the store: that of a data folder, or the one
// that gateways share on a Valkey server. A gateway opens all of it; a tool opens one part, such as
// the API keys, whether or not a gateway is using it. Where a master key is configured, what is
// opened seals what it keeps.
package stores

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"

	"steno/cmd/steno/config"
	"steno/cmd/steno/terminal"
	"steno/session/retry"
	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/valkey"
)

// ValkeyOptions are those of the store that gateways share. Two processes on one machine are two
// nodes, and so is a process that follows another.
func ValkeyOptions(c config.Config) (valkey.Options, error) {
	erase := c.Valkey.Rewrite
	if erase == 0 {
		erase = -1 // never
	}
	if err := c.Valkey.CheckTLS(); err != nil {
		return valkey.Options{}, err
	}
	secured, err := c.Valkey.TLS.Config()
	if err != nil {
		return valkey.Options{}, fmt.Errorf("valkey.tls: %w", err)
	}
	return valkey.Options{
		Addr: c.Valkey.Address, TLS: secured, Durability: c.Valkey.Durability, Lease: c.Valkey.Lease,
		Node:  cmp.Or(c.Node, "steno") + "-" + rand.Text()[:6],
		Blobs: c.Blob, Spool: filepath.Join(c.Data, "spool"), ResumeWindow: c.Limits.ResumeWindow, Erase: erase,
	}, nil
}

// Open opens the store that the configuration names: that of the data folder, or the one that
// gateways share. While the server is away it is tried again, until ctx ends.
func Open(ctx context.Context, c config.Config, log zerolog.Logger) (opened store.Store, err error) {
	if c.Valkey.Address == "" {
		opened, err := embedded.OpenWith(ctx, c.Data, embedded.Options{ResumeWindow: c.Limits.ResumeWindow})
		if err != nil {
			return nil, ExplainDenied(c, err)
		}
		opened.Inspect()
		return encrypted(ctx, c, opened)
	}
	o, err := ValkeyOptions(c)
	if err != nil {
		return nil, err
	}
	o.Failed = func(err error) { log.Warn().Err(err).Msg("the store's upkeep failed and will be tried again") }
	pause := retry.Backoff{First: time.Second, Longest: 15 * time.Second}
	for {
		opened, err := valkey.Open(ctx, o)
		if err == nil {
			return encrypted(ctx, c, opened)
		}
		if !errors.Is(err, store.ErrAway) {
			return nil, ExplainDenied(c, err)
		}
		log.Warn().Err(err).Msg("the store is out of reach")
		if retry.Sleep(ctx, pause.Next()) != nil {
			return nil, err
		}
	}
}

// ExplainDenied adds to an error what to do where the system denies access to the data folder.
func ExplainDenied(c config.Config, err error) error {
	if errors.Is(err, store.ErrDamaged) {
		return fmt.Errorf("%w (steno check %s says what is damaged, and with --repair keeps what is whole)", err,
			terminal.ShellWord(c.Data))
	}
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return fmt.Errorf("%w (the data folder must belong to the user that steno runs as: run it as that user, or "+
		"chown -R steno %s; steno doctor checks it)",
		err, terminal.ShellWord(c.Data))
}

// Keys is the API keys of a store, opened for a tool.
type Keys interface {
	store.Keys
	io.Closer
}

// OpenKeys opens the API keys of the store that the configuration names, whether or not a gateway
// is using it.
func OpenKeys(ctx context.Context, c config.Config) (Keys, error) {
	if c.Valkey.Address != "" {
		o, err := ValkeyOptions(c)
		if err != nil {
			return nil, err
		}
		return valkey.OpenKeys(ctx, o)
	}
	keys, err := embedded.OpenKeys(ctx, c.Data)
	if err != nil {
		return nil, ExplainDenied(c, err)
	}
	return keys, nil
}

// Outbox is the callbacks of a store and what signs them, opened for a tool.
type Outbox interface {
	store.Outbox
	store.Secrets
	io.Closer
}

// OpenOutbox opens callbacks and secrets as OpenKeys does the keys.
func OpenOutbox(ctx context.Context, c config.Config) (Outbox, error) {
	if c.Valkey.Address != "" {
		o, err := ValkeyOptions(c)
		if err != nil {
			return nil, err
		}
		outbox, err := valkey.OpenOutbox(ctx, o)
		if err != nil {
			return nil, err
		}
		return sealSecrets(ctx, c, outbox)
	}
	outbox, err := embedded.OpenOutbox(ctx, c.Data)
	if err != nil {
		return nil, ExplainDenied(c, err)
	}
	return sealSecrets(ctx, c, outbox)
}

// Exists tells whether there is a data folder. A server is there or is away.
func Exists(c config.Config) bool {
	if c.Valkey.Address != "" {
		return true
	}
	_, err := os.Stat(c.Data)
	return !errors.Is(err, fs.ErrNotExist)
}
