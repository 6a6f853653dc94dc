package main

import (
	"context"
	"errors"
	"fmt"

	"steno/cmd/steno/stores"
	"steno/session/store/seal"
)

type keysRotateMasterCmd struct{ keyFolder }

// Run wraps the keys of all accounts under the master key of the configuration.
func (c keysRotateMasterCmd) Run(ctx context.Context, p *process) error {
	return c.withRing(ctx, p, func(r *seal.Ring) error {
		n, err := r.RotateMaster(ctx)
		fmt.Fprintf(p.stdout, "%d keys of accounts are under the master key now\n", n)
		return err
	})
}

type keysRotateAccountCmd struct {
	keyFolder
	Account string `arg:"" help:"Whose data is encrypted with another key from now on."`
}

// Run makes another key for an account.
func (c keysRotateAccountCmd) Run(ctx context.Context, p *process) error {
	return c.withRing(ctx, p, func(r *seal.Ring) error { return r.Rotate(ctx, c.Account) })
}

type keysForgetAccountCmd struct {
	keyFolder
	Account string `arg:"" help:"Of which nothing is to be readable any more."`
	Yes     bool   `help:"Do it: it cannot be undone." required:""`
}

// Run forgets the keys of an account.
func (c keysForgetAccountCmd) Run(ctx context.Context, p *process) error {
	return c.withRing(ctx, p, func(r *seal.Ring) error { return r.Forget(ctx, c.Account) })
}

// withRing opens the keys of accounts for f.
func (f keyFolder) withRing(ctx context.Context, p *process, use func(*seal.Ring) error) error {
	cfg, err := f.existing(p.environ)
	if err != nil {
		return err
	}
	if !cfg.Encryption.Enabled() {
		return errors.New("the configuration has no master key: see encryption")
	}
	keys, err := stores.OpenDataKeys(ctx, cfg)
	if err != nil {
		return err
	}
	ring, err := stores.OpenRing(ctx, cfg, keys, p.environ)
	if err == nil {
		err = use(ring)
	}
	return errors.Join(err, keys.Close())
}
