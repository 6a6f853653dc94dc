// Package openai recognizes speech on any server with OpenAI's /audio/transcriptions interface:
// OpenAI, or one of the many that serve Whisper and its like under it.
//
// An utterance's audio is gathered and posted as one WAV file once it has ended. Partials are made
// in the same way of what was said so far, if they are configured: each is a request, and has its
// price. The answer is asked for with the times of words, and taken with those of segments, or
// none, where the server has no more: the times of words are then estimated. Text that nobody has
// said, such as "[BLANK_AUDIO]" or a sentence said twenty times, is removed, and counted by reason.
// What an utterance's request meets is tried again where that may help, within a bound; then the
// utterance fails with ErrUnavailable, and Open refuses others for a while, so that another
// recognizer takes over. After it one utterance is let through, and its fate decides for the
// others. What may be the fault of one utterance, such as an answer that makes no sense, costs the
// others nothing, unless several in a row meet it; such an utterance fails with ErrTried.
//
// The interface is spoken by net/http directly: github.com/sashabaranov/go-openai does not pass on
// the probabilities of words, nor how long a server asks to be left alone, and it reads refusals of
// any size and puts them into errors.
//
// Each request has a goroutine of its own, which ends with its utterance's context; Close waits for
// all.
package openai

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
	"steno/session/asr/clean"
	"steno/session/asr/remote"
	"steno/session/httpclient"
)

// Config is which server to use, and how. URL and Model are needed; zero values take the defaults.
type Config struct {
	// URL is the interface's base, such as "https://api.openai.com/v1".
	URL string
	// Key is sent as the bearer token; empty: none. Errors never contain it.
	Key string
	// Model is the server's name of the model.
	Model string
	// Name is the engine's name in results, and the model's in lists; empty: "openai".
	Name string
	// Languages are the codes that the model is used for, the default first; empty: all of the API.
	Languages []string
	// Detects makes the model detect the language of utterances of unknown language; else they are
	// in the default, if Languages has one.
	Detects bool
	// Prompt sends the vocabulary as the prompt, which Whisper takes for the text before.
	Prompt bool
	// Speculate posts an utterance as soon as its end is likely, if no other request is under way.
	// Where speech continues, the server is asked, and paid, for nothing.
	Speculate bool
	// Partials makes partials of utterances that want them, one after PartialEvery of further
	// speech (default 1 s) at the earliest, where a request can be made without waiting.
	Partials     bool
	PartialEvery time.Duration
	// OnAnswers is called with what the server answers with: at first, and when it comes to answer
	// in another format. It must not block; nil: nothing is.
	OnAnswers func(Answers)
	// Client makes the requests; nil: an own one. Redirects are never followed.
	Client *http.Client

	Concurrency int           // requests at a time, live speech before recordings; default 4
	Queue       int           // utterances waiting for their request; default 1024
	Attempts    int           // requests for one utterance, at most; default 3
	Timeout     time.Duration // of one request; default 30 s
	// Budget bounds the time from an utterance's end to its final, queueing included; default 2
	// min. Recordings, which queue after all live speech, get five times as much.
	Budget time.Duration
	// before the second request, doubled for each further one; also the first time for which Open
	// refuses; default 500 ms
	MinBackoff time.Duration
	MaxBackoff time.Duration // the longest time for which Open refuses, and before the next attempt; default 30 s
}

// Recognizer is an [asr.Recognizer] and an [asr.Lister]. It must be closed after its last
// utterance.
type Recognizer struct {
	config   Config
	endpoint string
	client   *httpclient.Client
	server   *remote.Server
	speaks   remote.Languages
	forms    formMemory
	dropped  clean.Counts

	partialsDropped clean.Counts
}

// New returns a recognizer. It fails for a bad configuration, and does not ask the server.
func New(c Config) (*Recognizer, error) {
	base, err := url.Parse(c.URL)
	switch {
	case err != nil, base.Scheme != "http" && base.Scheme != "https", base.Host == "":
		return nil, errors.New("transcription server: url must be that of an HTTP server")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, errors.New("transcription server: url must not hold a user, a query or a fragment")
	case c.Model == "":
		return nil, errors.New("transcription server: no model")
	case strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("transcription server: key holds characters that no header can")
	}
	c.setDefaults()
	r := &Recognizer{
		config: c, endpoint: strings.TrimSuffix(base.String(), "/") + "/audio/transcriptions",
		server: remote.New(remote.Limits{
			Concurrency: c.Concurrency, Queue: c.Queue, Attempts: c.Attempts, Timeout: c.Timeout, Budget: c.Budget,
			MinBackoff: c.MinBackoff, MaxBackoff: c.MaxBackoff,
		}),
		speaks: remote.Languages{Codes: c.Languages, Detects: c.Detects},
	}
	if err := r.speaks.Check(); err != nil {
		return nil, fmt.Errorf("transcription server: %w", err)
	}
	r.client = httpclient.New(c.Client, r.server.Limits.Concurrency)
	r.forms.changed = c.OnAnswers
	return r, nil
}

func (c *Config) setDefaults() {
	if c.PartialEvery <= 0 {
		c.PartialEvery = time.Second
	}
	if c.Name == "" {
		c.Name = "openai"
	}
	c.Languages = slices.Clone(c.Languages)
}

// Close ends all requests, and their utterances with ErrUnavailable.
func (r *Recognizer) Close() error {
	r.server.Close()
	r.client.Close()
	return nil
}

// Open implements [asr.Recognizer]. The server is not asked before the utterance's end: if it
// refuses, Recv returns why.
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
	u := &stream{ctx: ctx, recognizer: r, params: p, language: language, changed: make(chan struct{}, 1)}
	u.known = &remote.Utterance{Context: ctx, Params: p, Ended: u.hasEnded}
	if err := r.server.Circuit.Admit(u.known); err != nil {
		return nil, err
	}
	return u, nil
}

// Models implements [asr.Lister] by the one model, whether or not the server is present.
func (r *Recognizer) Models(ctx context.Context) ([]asr.Model, error) {
	m := asr.Model{
		Name: r.config.Name, Languages: r.speaks.List(), Detects: r.config.Detects, Partials: r.config.Partials,
	}
	return []asr.Model{m}, ctx.Err()
}
