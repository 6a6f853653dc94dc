package stores

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"steno/cmd/steno/config"
	"steno/session/store"
	"steno/session/store/embedded"
	"steno/session/store/seal"
	"steno/session/store/valkey"
)

// masters returns the master key, and those before it.
func masters(e config.Encryption, environ []string) (master seal.Master, previous []seal.Master, err error) {
	switch {
	case e.MasterKeyFile != "":
		master, err = masterOf("file:"+e.MasterKeyFile, environ)
	case e.MasterKeyEnv != "":
		master, err = masterOf("env:"+e.MasterKeyEnv, environ)
	default:
		master = seal.Command(e.MasterKeyCommand)
	}
	for _, place := range e.Previous {
		m, failed := masterOf(place, environ)
		previous, err = append(previous, m), errors.Join(err, failed)
	}
	return master, previous, err
}

// masterOf reads a master key from a file, or from a variable where its place begins with env.
func masterOf(place string, environ []string) (seal.Master, error) {
	if name, ok := strings.CutPrefix(place, "env:"); ok {
		text, there := config.Lookup(environ, name)
		if !there {
			return nil, fmt.Errorf("encryption: the variable %s, which has the master key, is not set", name)
		}
		m, err := seal.NewMaster([]byte(text))
		return m, keyFault("encryption: "+name, err)
	}
	text, err := os.ReadFile(strings.TrimPrefix(place, "file:"))
	if err != nil {
		return nil, fmt.Errorf("encryption: read the master key: %w", err)
	}
	m, err := seal.NewMaster(text)
	return m, keyFault("encryption: "+place, err)
}

func keyFault(what string, err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", what, err)
	}
	return err
}

// OpenRing opens the keys of accounts; nil where nothing is encrypted. A store that has such keys
// is not opened without a master key: what it has could not be read.
func OpenRing(ctx context.Context, c config.Config, keys store.DataKeys, environ []string) (*seal.Ring, error) {
	if !c.Encryption.Enabled() {
		all, err := keys.DataKeys(ctx, "")
		if err != nil {
			return nil, err
		}
		for _, k := range all {
			if len(k.Wrapped) > 0 {
				return nil, errors.New("the store is encrypted: set encryption.master_key_file, master_key_env or " +
					"master_key_command to its master key")
			}
		}
		return nil, nil
	}
	master, previous, err := masters(c.Encryption, environ)
	if err != nil {
		return nil, err
	}
	ring, err := seal.NewRing(ctx, keys, master, previous...)
	if errors.Is(err, seal.ErrMaster) {
		err = fmt.Errorf("%w (the store was encrypted with another master key than the configuration has: "+
			"put that one below encryption.previous, or set it again)", err)
	}
	return ring, err
}

// encrypted returns a store that seals what is kept, where that is asked for.
func encrypted(ctx context.Context, c config.Config, inner seal.Inner) (store.Store, error) {
	ring, err := OpenRing(ctx, c, inner, os.Environ())
	if err != nil {
		return nil, errors.Join(err, inner.Close())
	}
	if ring == nil {
		return inner, nil
	}
	s, err := seal.New(inner, ring, filepath.Join(c.Data, "scratch"))
	if err != nil {
		return nil, errors.Join(err, inner.Close())
	}
	return s, nil
}

// Unsealed is the store that keeps what another one seals.
func Unsealed(s store.Store) store.Store {
	if sealed, ok := s.(*seal.Store); ok {
		return sealed.Unsealed()
	}
	return s
}

// DataKeys is the keys of accounts of a store, opened for a tool.
type DataKeys interface {
	store.DataKeys
	io.Closer
}

// OpenDataKeys opens the keys of accounts as OpenKeys does API keys.
func OpenDataKeys(ctx context.Context, c config.Config) (DataKeys, error) {
	if c.Valkey.Address != "" {
		o, err := ValkeyOptions(c)
		if err != nil {
			return nil, err
		}
		return valkey.OpenDataKeys(ctx, o)
	}
	keys, err := embedded.OpenDataKeys(ctx, c.Data)
	if err != nil {
		return nil, ExplainDenied(c, err)
	}
	return keys, nil
}

// secretList has a name other than its method.
type secretList interface{ store.Secrets }

// sealedOutbox is callbacks and secrets, of which the secrets are sealed.
type sealedOutbox struct {
	store.Outbox
	secretList
	closers []io.Closer
}

func (o sealedOutbox) Close() error {
	var errs []error
	for _, c := range o.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// sealSecrets has the secrets of an outbox sealed where the store is.
func sealSecrets(ctx context.Context, c config.Config, open Outbox) (Outbox, error) {
	if !c.Encryption.Enabled() {
		return open, nil
	}
	keys, err := OpenDataKeys(ctx, c)
	if err != nil {
		return nil, errors.Join(err, open.Close())
	}
	ring, err := OpenRing(ctx, c, keys, os.Environ())
	if err != nil {
		return nil, errors.Join(err, keys.Close(), open.Close())
	}
	return sealedOutbox{open, seal.Secrets(open, ring), []io.Closer{keys, open}}, nil
}
