// Package realtime recognizes speech on servers with a realtime interface for transcriptions over
// WebSockets, as OpenAI, vLLM, speaches and steno itself have one.
//
// They speak three variants of one protocol ([OpenAI], [VLLM], [Speaches]), which is found out by
// the server's first message unless the configuration names it. In all of them steno decides where
// an utterance ends: the server's own detection is off, or deaf, and the end is committed.
//
// An utterance has a connection for itself from its first tenth of a second to its final.
// Connections are used for one utterance after the other, where the variant allows that, until they
// are idle for too long or so old that the server may close them. What was sent of an utterance is
// kept until its final: where the connection is lost it is sent again, on another one, as often as
// [Config].Attempts allows. Then the utterance fails with ErrUnavailable, and Open refuses others
// for a while, so that another recognizer takes over; see package remote.
//
// Partials are what the server has sent of the text so far, which it never takes back. Servers send
// no times of words: these are estimated from the audio.
//
// # Goroutines
//
// Each connection has a goroutine that reads, from its handshake until it is closed. Each utterance
// has one that sends and decides, from its first tenth of a second to its final; it is the only one
// that writes to its connection. Close waits for all. A stream's mutex guards what the caller and
// the utterance's goroutine share, the pool's its list; neither is held while waiting.
package realtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"steno/session/asr"
	"steno/session/asr/remote"
	"steno/session/httpclient"
)

// Config names a server and how to use it. URL and Model are needed; zero values take the defaults.
type Config struct {
	// URL is the interface's base, such as "https://api.openai.com/v1"; ws and wss stand for http
	// and https.
	URL string
	// Key is sent as the bearer token; empty: none. Errors never contain it.
	Key string
	// Model is the server's name of the model.
	Model string
	// Name is the engine's name in results, and the model's in lists; empty: "realtime".
	Name string
	// Variant is the server's protocol: [Auto], [OpenAI], [VLLM] or [Speaches]; empty: Auto.
	Variant string
	// Languages are the codes that the model is used for, the default first; empty: all of the API.
	Languages []string
	// Detects lets the server detect the language of utterances of unknown language; else they are
	// in the default, if Languages has one.
	Detects bool
	// Prompt sends the vocabulary as the prompt, Keywords as keywords. vLLM's servers take neither,
	// those of speaches no keywords.
	Prompt, Keywords bool
	// OnVariant is called with the variant that the server speaks: at first, and when it changes.
	// It must not block; nil: it is not called.
	OnVariant func(variant string)
	// Client makes the connections; nil: an own one. Redirects are never followed.
	Client *http.Client

	Concurrency int           // connections in use at a time, for live speech before recordings; default 16
	Queue       int           // utterances that wait for a connection; default 1024
	Attempts    int           // connections for one utterance, at most; default 3
	Connect     time.Duration // until a connection is ready; default 10 s
	Timeout     time.Duration // of a final after its end was committed, and of sending; default 30 s
	// Budget bounds the time from an utterance's end to its final; default 2 min, for recordings
	// five times as much.
	Budget time.Duration
	// Idle is how long an unused connection is kept; default 1 min.
	Idle time.Duration
	// Renew is the age from which a connection is used for no further utterance; default 25 min.
	Renew time.Duration
	// MinBackoff and MaxBackoff are those of [remote.Limits].
	MinBackoff, MaxBackoff time.Duration
}

// Recognizer is an [asr.Recognizer] and an [asr.Lister]. It must be closed after its last
// utterance.
type Recognizer struct {
	config Config
	server *remote.Server
	speaks remote.Languages
	client *httpclient.Client
	pool   pool
	spoken spoken
}

// New returns a recognizer. It fails for a bad configuration, and does not ask the server.
func New(c Config) (*Recognizer, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("realtime server: %w", err)
	}
	c.setDefaults()
	r := &Recognizer{
		config: c, speaks: remote.Languages{Codes: c.Languages, Detects: c.Detects},
		server: remote.New(remote.Limits{
			Concurrency: c.Concurrency, Queue: c.Queue, Attempts: c.Attempts, Timeout: c.Timeout, Budget: c.Budget,
			MinBackoff: c.MinBackoff, MaxBackoff: c.MaxBackoff,
		}),
		client: httpclient.New(c.Client, c.Concurrency),
		spoken: spoken{changed: c.OnVariant},
	}
	r.pool.idle = c.Idle
	r.pool.begin = r.server.Begin
	return r, nil
}

// check reports what cannot work.
func (c *Config) check() error {
	base, err := url.Parse(c.URL)
	switch {
	case err != nil, !slices.Contains([]string{"http", "https", "ws", "wss"}, base.Scheme), base.Host == "":
		return errors.New("url must be that of an HTTP or WebSocket server")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return errors.New("url must not hold a user, a query or a fragment")
	case c.Model == "":
		return errors.New("no model")
	case strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errors.New("key holds characters that no header can")
	case !slices.Contains(Variants(), c.Variant) && c.Variant != "":
		return fmt.Errorf("variant must be one of %s, not %q", strings.Join(Variants(), ", "), c.Variant)
	}
	return remote.Languages{Codes: c.Languages}.Check()
}

func (c *Config) setDefaults() {
	for value, otherwise := range map[*time.Duration]time.Duration{
		&c.Connect: 10 * time.Second, &c.Idle: time.Minute, &c.Renew: 25 * time.Minute,
	} {
		if *value <= 0 {
			*value = otherwise
		}
	}
	if c.Concurrency <= 0 {
		c.Concurrency = 16
	}
	if c.Name == "" {
		c.Name = "realtime"
	}
	if c.Variant == "" {
		c.Variant = Auto
	}
	c.Languages = slices.Clone(c.Languages)
}

// Close closes all connections, and ends their utterances with ErrUnavailable.
func (r *Recognizer) Close() error {
	r.pool.close()
	r.server.Close()
	r.client.Close()
	return nil
}

// Open implements [asr.Recognizer]. The server is not asked before the utterance has a tenth of a
// second: if it refuses, Recv returns why.
func (r *Recognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.server.Lifetime().Err() != nil {
		return nil, remote.ErrClosed
	}
	language, err := r.speaks.Choose(p)
	if err != nil {
		return nil, err
	}
	s := newStream(ctx, r, p, language)
	if err := r.server.Circuit.Admit(s.known); err != nil {
		return nil, err
	}
	return s, nil
}

// Models implements [asr.Lister] by the one model, whether or not the server is present.
func (r *Recognizer) Models(ctx context.Context) ([]asr.Model, error) {
	return []asr.Model{{
		Name: r.config.Name, Languages: r.speaks.List(), Detects: r.config.Detects,
		Partials: r.config.Variant != Speaches && r.Variant() != Speaches,
	}}, ctx.Err()
}

// Variant returns the variant that the server speaks; empty while that is not known. Any goroutine
// may call it.
func (r *Recognizer) Variant() string { return r.spoken.get() }
