package recognizers

import (
	"steno/cmd/steno/config"
	"steno/session/asr/openai"
	"steno/session/asr/realtime"
	"steno/session/asr/riva"
	"steno/session/asr/riva/pool"
)

// rivaPool returns the configuration of servers with the Riva interface.
func rivaPool(r config.Riva, name string) (*pool.Config, error) {
	secured, err := r.TLS.Config()
	if err != nil {
		return nil, err
	}
	return &pool.Config{
		Addresses: r.Addresses,
		Client: riva.Config{
			TLS: secured, Header: r.Header, Model: r.Model, Engine: name, Language: r.Language, Auto: r.Auto,
			Tags:        r.Tags,
			Punctuation: r.Punctuation, OpenTimeout: r.OpenTimeout, FinalTimeout: r.FinalTimeout,
		},
	}, nil
}

// openaiServer returns the configuration of a server with OpenAI's interface.
func openaiServer(e config.NamedEngine, name string, environ []string) (*openai.Config, error) {
	key, err := config.Secret("openai", e.OpenAI.Key, e.OpenAI.KeyEnv, environ)
	if err != nil {
		return nil, err
	}
	return &openai.Config{
		URL: e.OpenAI.URL, Key: key, Model: e.OpenAI.Model, Name: name, Languages: e.Languages, Detects: true,
		Prompt: e.OpenAI.Prompt, Concurrency: e.OpenAI.Concurrency, Timeout: e.OpenAI.Timeout,
		Speculate: e.OpenAI.Speculate,
		Partials:  e.OpenAI.Partials, PartialEvery: e.OpenAI.PartialEvery,
	}, nil
}

// realtimeServer returns the configuration of a server with a realtime interface.
func realtimeServer(e config.NamedEngine, name string, environ []string) (*realtime.Config, error) {
	c := e.Realtime
	key, err := config.Secret("realtime", c.Key, c.KeyEnv, environ)
	if err != nil {
		return nil, err
	}
	return &realtime.Config{
		URL: c.URL, Key: key, Model: c.Model, Name: name, Variant: c.Variant,
		Languages: e.Languages, Detects: c.Detects, Prompt: c.Prompt, Keywords: c.Keywords,
		Concurrency: c.Concurrency, Connect: c.ConnectTimeout, Timeout: c.Timeout, Idle: c.Idle, Renew: c.Renew,
	}, nil
}
