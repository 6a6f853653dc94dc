package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"

	"steno/session/retry"
	"steno/session/store"
	"steno/session/store/blob"
	"steno/session/store/embedded"
	"steno/session/store/valkey"
)

// Valkey specifies where gateways keep what they share.
type Valkey struct {
	Address    string            `yaml:"address"`
	TLS        TLS               `yaml:"tls"`
	Durability valkey.Durability `yaml:"durability" choices:"process,disk,replica"`
	Lease      time.Duration     `yaml:"lease" bounds:"1s..10m"`
	Rewrite    time.Duration     `yaml:"rewrite" bounds:"0 or 1m.."`
}

// checkStore refuses values that cannot work.
func (c Config) checkStore(fault faults) {
	if (c.Valkey.Address == "") != (c.Blob == "") {
		fault("valkey.address and blob are set together, or neither")
	}
	if c.Blob != "" {
		if err := blob.CheckAddress(c.Blob); err != nil {
			fault("blob: %w", err)
		}
	}
	if err := c.Valkey.checkTLS(); err != nil {
		fault("%w", err)
	}
}

// checkTLS refuses files that would not be used.
func (v Valkey) checkTLS() error {
	if !v.TLS.Enabled && v.TLS != (TLS{}) {
		return errors.New("valkey.tls.enabled must be true where valkey.tls names files or a server")
	}
	return nil
}

// valkeyOptions are those of the store that gateways share. Two processes on one machine are two
// nodes, and so is a process that follows another.
func (c Config) valkeyOptions() (valkey.Options, error) {
	erase := c.Valkey.Rewrite
	if erase == 0 {
		erase = -1 // never
	}
	if err := c.Valkey.checkTLS(); err != nil {
		return valkey.Options{}, err
	}
	secured, err := c.Valkey.TLS.config()
	if err != nil {
		return valkey.Options{}, fmt.Errorf("valkey.tls: %w", err)
	}
	return valkey.Options{
		Addr: c.Valkey.Address, TLS: secured, Durability: c.Valkey.Durability, Lease: c.Valkey.Lease,
		Node:  cmp.Or(c.Node, "steno") + "-" + rand.Text()[:6],
		Blobs: c.Blob, Spool: filepath.Join(c.Data, "spool"), ResumeWindow: c.Limits.ResumeWindow, Erase: erase,
	}, nil
}

// openStore opens the store that the configuration names: that of the data folder, or the one that
// gateways share. While the server is away it is tried again, until ctx ends.
func openStore(ctx context.Context, c Config, log zerolog.Logger) (opened store.Store, err error) {
	if c.Valkey.Address == "" {
		opened, err := embedded.OpenWith(ctx, c.Data, embedded.Options{ResumeWindow: c.Limits.ResumeWindow})
		if err != nil {
			return nil, c.explainDenied(err)
		}
		opened.Inspect()
		return encrypted(ctx, c, opened)
	}
	o, err := c.valkeyOptions()
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
			return nil, c.explainDenied(err)
		}
		log.Warn().Err(err).Msg("the store is out of reach")
		if retry.Sleep(ctx, pause.Next()) != nil {
			return nil, err
		}
	}
}

// explainDenied adds to an error what to do where the system denies access to the data folder.
func (c Config) explainDenied(err error) error {
	if errors.Is(err, store.ErrDamaged) {
		return fmt.Errorf("%w (steno check %s says what is damaged, and with --repair keeps what is whole)", err,
			shellWord(c.Data))
	}
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return fmt.Errorf("%w (the data folder must belong to the user that steno runs as: run it as that user, or "+
		"chown -R steno %s; steno doctor checks it)",
		err, shellWord(c.Data))
}

// keyStore is the API keys of a store, opened for a tool.
type keyStore interface {
	store.Keys
	io.Closer
}

// openKeys opens the API keys of the store that the configuration names, whether or not a gateway
// is using it.
func openKeys(ctx context.Context, c Config) (keyStore, error) {
	if c.Valkey.Address != "" {
		o, err := c.valkeyOptions()
		if err != nil {
			return nil, err
		}
		return valkey.OpenKeys(ctx, o)
	}
	keys, err := embedded.OpenKeys(ctx, c.Data)
	if err != nil {
		return nil, c.explainDenied(err)
	}
	return keys, nil
}

// outboxStore is the callbacks of a store and what signs them, opened for a tool.
type outboxStore interface {
	store.Outbox
	store.Secrets
	io.Closer
}

// openOutbox opens callbacks and secrets as openKeys does the keys.
func openOutbox(ctx context.Context, c Config) (outboxStore, error) {
	if c.Valkey.Address != "" {
		o, err := c.valkeyOptions()
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
		return nil, c.explainDenied(err)
	}
	return sealSecrets(ctx, c, outbox)
}

// storePlace specifies which store a tool opens.
type storePlace struct {
	Config string `help:"Configuration file." placeholder:"FILE"`
	Data   string `help:"Folder of database and recordings." placeholder:"DIR"`
	Valkey string `help:"Address or URL of the Valkey server that gateways share." placeholder:"ADDR"`
}

// configuration is the file and the environment with the flags on top.
func (s storePlace) configuration(environ []string) (Config, error) {
	cfg, err := loadConfig(s.Config, environ)
	cfg.Data = cmp.Or(s.Data, cfg.Data)
	cfg.Valkey.Address = cmp.Or(s.Valkey, cfg.Valkey.Address)
	return cfg, err
}

// existing is the configuration for a tool that looks for what a gateway has kept. A folder that is
// not there is refused and not made: "none" would be the truth about a folder that nobody meant.
func (s storePlace) existing(environ []string) (Config, error) {
	cfg, err := s.configuration(environ)
	if err == nil && !cfg.hasStore() {
		err = fmt.Errorf("there is no data folder %s; --data, STENO_DATA or the configuration name another", cfg.Data)
	}
	return cfg, err
}

// lasting is the configuration for a tool that keeps something for a gateway: a missing data folder
// is made, as the first start of a gateway does. Then it writes to w that a gateway with another
// folder does not know what is kept.
func (s storePlace) lasting(environ []string, w io.Writer, kept string) (Config, error) {
	cfg, err := s.configuration(environ)
	if err == nil && !cfg.hasStore() {
		fmt.Fprintf(w, "%s was made: a gateway with another data folder does not know the %s\n", cfg.Data, kept)
	}
	return cfg, err
}

// hasStore tells whether there is a data folder. A server is there or is away.
func (c Config) hasStore() bool {
	if c.Valkey.Address != "" {
		return true
	}
	_, err := os.Stat(c.Data)
	return !errors.Is(err, fs.ErrNotExist)
}

// storeName returns where the data are, without any password.
func (c Config) storeName() string {
	if c.Valkey.Address == "" {
		return c.Data
	}
	if u, err := url.Parse(c.Valkey.Address); err == nil && u.Host != "" {
		return "valkey " + u.Host
	}
	return "valkey"
}
