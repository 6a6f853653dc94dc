package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/rs/zerolog"

	"steno/gateway"
	"steno/gateway/tracing"
	"steno/session/addon"
	"steno/session/asr/engines"
	"steno/session/store"
)

// backends are what a gateway works with: the store and its API keys, the engines, the add-ons and their providers.
type backends struct {
	store   store.Store
	keys    []gateway.Key
	engines *engines.Set
	addons  *addon.Table
	tracer  *tracing.Tracer // nil: no traces

	opened []namedCloser
}

// namedCloser is a closer with its name for errors.
type namedCloser struct {
	io.Closer
	name string
}

// openBackends opens the backends of a configuration. While a shared store or the engines are away it waits for them, until ctx
// ends. The caller closes the backends.
func openBackends(ctx context.Context, c Config, log zerolog.Logger, p *process) (*backends, error) {
	b := &backends{}
	if err := b.open(ctx, c, log, p); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func (b *backends) open(ctx context.Context, c Config, log zerolog.Logger, p *process) (err error) {
	if b.store, err = openStore(ctx, c, log); err != nil {
		return err
	}
	b.add("store", b.store)
	keepPrivate(c.Data, log)
	if b.keys, err = apiKeys(ctx, b.store, c, p); err != nil {
		return err
	}
	if b.tracer, err = openTracer(ctx, c.Node, p.environ, log); err != nil {
		return err
	}
	b.add("traces", b.tracer)
	if b.engines, err = startEngines(ctx, c, p.environ, engineLog(log)); err != nil {
		return err
	}
	b.add("engines", b.engines)
	addons, providers, err := newAddons(ctx, c.Addons, p.environ, b.engines.Router(), log)
	for _, provider := range providers {
		b.add("add-on", provider)
	}
	b.addons = addons
	return err
}

func (b *backends) add(name string, c io.Closer) { b.opened = append(b.opened, namedCloser{c, name}) }

// openTracer returns the tracer that the environment asks for; nil if it asks for none.
func openTracer(ctx context.Context, node string, environ []string, log zerolog.Logger) (*tracing.Tracer, error) {
	if wanted, err := tracing.Wanted(environ); err != nil || !wanted {
		return nil, err
	}
	return tracing.Open(ctx, node, func(err error) { log.Warn().Err(err).Msg("traces not sent") })
}

// Close closes what is open, the last opened first.
func (b *backends) Close() (err error) {
	for _, c := range slices.Backward(b.opened) {
		closing(&err, c.name, c)
	}
	return err
}
