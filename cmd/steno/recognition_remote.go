package main

import (
	"crypto/tls"

	"steno/session/asr"
	"steno/session/asr/openai"
	"steno/session/asr/riva"
	"steno/session/asr/riva/pool"
)

// rivaEngine makes an engine of servers that speak the Riva interface.
func (r *recognition) rivaEngine(name string, c Riva, o observer) (asr.Recognizer, error) {
	var secured *tls.Config
	if c.TLS.Enabled {
		var err error
		secured, err = riva.TLSFiles{
			CA: c.TLS.CA, Certificate: c.TLS.Cert, Key: c.TLS.Key, ServerName: c.TLS.ServerName,
		}.Config()
		if err != nil {
			return nil, err
		}
	}
	p, err := pool.New(pool.Config{
		Addresses: c.Addresses,
		Client: riva.Config{
			TLS: secured, Header: c.Header, Model: c.Model, Engine: name, Language: c.Language, Auto: c.Auto, Tags: c.Tags,
			Punctuation: c.Punctuation, OpenTimeout: c.OpenTimeout, FinalTimeout: c.FinalTimeout,
		},
		OnChange: func(change pool.Change) { o.server(name, change) },
	})
	if err != nil {
		return nil, err
	}
	r.pools[name] = p
	r.closers = append(r.closers, p)
	return p, nil
}

// openaiEngine makes an engine of a server with OpenAI's interface.
func (r *recognition) openaiEngine(name string, e NamedEngine, environ []string) (asr.Recognizer, error) {
	key, err := secret("openai", e.OpenAI.Key, e.OpenAI.KeyEnv, environ)
	if err != nil {
		return nil, err
	}
	p, err := openai.New(openai.Config{
		URL: e.OpenAI.URL, Key: key, Model: e.OpenAI.Model, Name: name, Languages: e.Languages, Detects: true, Prompt: e.OpenAI.Prompt,
		Concurrency: e.OpenAI.Concurrency, Timeout: e.OpenAI.Timeout, Speculate: e.OpenAI.Speculate,
	})
	if err != nil {
		return nil, err
	}
	r.closers = append(r.closers, p)
	return p, nil
}
