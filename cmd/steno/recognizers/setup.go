// Package recognizers sets up the engines that recognize speech: from the configuration of the
// whole it makes that of session/asr/engines, which starts them. It knows which installed models
// each engine takes, and what the API's models are made of. Nothing in it has a state of its own.
package recognizers

import (
	"context"
	"errors"
	"fmt"

	"steno/cmd/steno/config"
	"steno/messages"
	"steno/session/asr/engines"
	"steno/session/asr/local"
	"steno/session/asr/openai"
	"steno/session/asr/riva/pool"
)

// Setup makes the configuration of the engines of that of the whole. Environ is where keys of
// servers and the user's language are looked up; those who only ask what is installed need none.
type Setup struct {
	config.Config
	Environ []string
}

// Start starts the engines in the background. The caller must close them.
func (c Setup) Start(ctx context.Context, o engines.Observer) (*engines.Set, error) {
	setup, err := c.config()
	if err != nil {
		return nil, err
	}
	return engines.Start(ctx, setup, o)
}

// StartReady starts the engines and waits until they serve stt-1. The caller must close them.
func (c Setup) StartReady(ctx context.Context) (*engines.Set, error) {
	set, err := c.Start(ctx, SilentObserver())
	if err != nil {
		return nil, err
	}
	if err := set.Wait(ctx, "stt-1"); err != nil {
		return nil, errors.Join(err, set.Close())
	}
	return set, nil
}

// SilentObserver returns the observer of commands that report only their result.
func SilentObserver() engines.Observer {
	return engines.Observer{
		Process: func(string, local.Event) {}, Line: func(string, string) {}, Server: func(string, pool.Change) {},
		Answers: func(string, openai.Answers) {}, Variant: func(string, string) {},
	}
}

// config returns the configuration of the engines and the router.
func (c Setup) config() (engines.Config, error) {
	out := engines.Config{
		Fusion: c.fusion(), Plans: c.plans(), Languages: messages.Languages(),
		Patience: c.Engines.Patience, ReplayPatience: c.Engines.ReplayPatience,
	}
	for _, name := range c.EngineNames() {
		e, err := c.engine(name)
		if err != nil {
			return engines.Config{}, fmt.Errorf("engine %s: %w", name, err)
		}
		out.Engines = append(out.Engines, e)
	}
	return out, nil
}

// engine returns the configuration of one engine.
func (c Setup) engine(name string) (engines.Engine, error) {
	e := c.Engines.More[name]
	out := engines.Engine{Name: name, Languages: e.Languages, Partials: e.Partials, Weight: e.Weight}
	var err error
	switch {
	case e.Riva != nil:
		out.Pool, err = rivaPool(*e.Riva, name)
	case e.OpenAI != nil:
		out.OpenAI, err = openaiServer(e, name, c.Environ)
	case e.Realtime != nil:
		out.Realtime, err = realtimeServer(e, name, c.Environ)
	default:
		out.StandIn = c.standIn(name)
		out.Local, err = c.Local(name)
	}
	return out, err
}

// Local returns the configuration of an engine that is a process on this machine.
func (c Setup) Local(name string) (*local.Config, error) {
	rights, err := c.rights(name)
	return &local.Config{Binary: c.Engines.Binary, Args: c.engineArgs(name), Enabled: c.hasModelsFor(name),
		Rights: rights}, err
}
