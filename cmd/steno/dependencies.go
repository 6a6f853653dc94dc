package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rs/zerolog"

	"steno/audio/media"
	"steno/cmd/steno/config"
	"steno/cmd/steno/decoding"
	"steno/cmd/steno/recognizers"
	"steno/cmd/steno/stores"
	"steno/gateway"
	"steno/gateway/audit"
	"steno/gateway/tracing"
	"steno/session/addon"
	"steno/session/asr/engines"
	"steno/session/store"
)

// dependencies are what a gateway works with: the store and its API keys, the engines, the add-ons
// and their providers.
type dependencies struct {
	store       store.Store
	keys        []gateway.Key
	made        string      // text of the API key that was made because there was none; else empty
	tls         *tls.Config // of clients; nil: they have none
	certificate string      // path of the certificate that was made, which signs itself; else empty
	engines     *engines.Set
	addons      *addon.Table
	audit       *audit.Log      // nil: none
	tracer      *tracing.Tracer // nil: no traces

	decoder   *media.Decoder // being tried; nil: its programs are missing
	noDecoder string         // why it is nil, for clients

	opened []namedCloser
}

// namedCloser is a closer with its name for errors.
type namedCloser struct {
	io.Closer
	name string
}

// openDependencies opens what a configuration asks for. While a shared store or the engines are
// away it waits for them, until ctx ends. The caller closes them.
func openDependencies(ctx context.Context, c config.Config, log zerolog.Logger, p *process) (*dependencies, error) {
	d := &dependencies{}
	if err := d.open(ctx, c, log, p); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (d *dependencies) open(ctx context.Context, c config.Config, log zerolog.Logger, p *process) (err error) {
	d.openDecoder(ctx, c.Recordings, log)
	if d.store, err = stores.Open(ctx, c, log); err != nil {
		return err
	}
	d.add("store", d.store)
	keepPrivate(c.Data, log)
	if d.keys, d.made, err = apiKeys(ctx, d.store, c, p); err != nil {
		return err
	}
	if d.tracer, err = openTracer(ctx, c.Node, p.environ, log); err != nil {
		return err
	}
	d.add("traces", d.tracer)
	if d.audit, err = openAudit(c.Audit, log); err != nil {
		return err
	}
	if d.audit != nil {
		d.add("audit log", d.audit)
	}
	if d.engines, err = (recognizers.Setup{Config: c, Environ: p.environ}).Start(ctx, engineLog(log)); err != nil {
		return err
	}
	d.add("engines", d.engines)
	addons, providers, err := newAddons(ctx, c.Addons, p.environ, d.engines.Router(), log)
	for _, provider := range providers {
		d.add("add-on", provider)
	}
	d.addons = addons
	return err
}

// openDecoder starts a trial of the decoder, which continues while the rest is opened and served.
func (d *dependencies) openDecoder(ctx context.Context, r config.Recordings, log zerolog.Logger) {
	ctx, cancel := context.WithCancel(ctx)
	d.decoder, d.noDecoder = decoding.Try(ctx, r, log)
	d.add("decoder", decoderTrial{d.decoder, cancel})
}

// decoderTrial is that of a decoder, which may be nil.
type decoderTrial struct {
	decoder *media.Decoder
	cancel  context.CancelFunc
}

// Close ends the trial.
func (t decoderTrial) Close() error {
	t.cancel()
	if t.decoder != nil {
		_ = t.decoder.Wait(context.Background()) // what it has found matters no more
	}
	return nil
}

func (d *dependencies) add(name string, c io.Closer) {
	d.opened = append(d.opened, namedCloser{c, name})
}

// openAudit opens the audit log; nil if none is asked for.
func openAudit(a config.Audit, log zerolog.Logger) (*audit.Log, error) {
	if a.File == "" {
		return nil, nil
	}
	opened, err := audit.Open(a.File, func(err error) { log.Error().Err(err).Msg("audit log is incomplete") })
	if err != nil {
		return nil, fmt.Errorf("audit.file: %w", err)
	}
	return opened, nil
}

// openTracer returns the tracer that the environment asks for; nil if it asks for none.
func openTracer(ctx context.Context, node string, environ []string, log zerolog.Logger) (*tracing.Tracer, error) {
	if wanted, err := tracing.Wanted(environ); err != nil || !wanted {
		return nil, err
	}
	return tracing.Open(ctx, node, func(err error) { log.Warn().Err(err).Msg("traces not sent") })
}

// Close closes what is open, the last opened first.
func (d *dependencies) Close() (err error) {
	for _, c := range slices.Backward(d.opened) {
		closing(&err, c.name, c)
	}
	return err
}
