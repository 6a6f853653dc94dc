package translate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"steno/session/addon/remote"
)

// LibreConfig specifies which server to use and how. URL is needed; zero values take the defaults
// of [remote.Config].
type LibreConfig struct {
	// URL is the server's base, such as "http://localhost:5000".
	URL string
	// Key is sent as api_key; empty: none. Errors never contain it.
	Key string
	// MaxInput bounds the characters of one request, as far as texts can be separated; default
	// 2,000, which public servers allow.
	MaxInput int
	Client   *http.Client

	Concurrency, Queue, Attempts            int
	Timeout, Budget, MinBackoff, MaxBackoff time.Duration
}

const (
	maxTexts = 50 // in one request
	// fresh is for how long a list of languages is believed; stale, a failure to get it.
	fresh, stale = 10 * time.Minute, 10 * time.Second
	listTime     = 5 * time.Second
)

// Libre translates by a server with LibreTranslate's protocol.
type Libre struct {
	config LibreConfig
	base   string
	caller *remote.Caller

	asking chan struct{}       // holds a token while a goroutine uses the fields below, or asks the server for them
	pairs  map[string][]string // targets by source, as the server calls them
	failed error               // why there are none
	until  time.Time           // the list need not be asked for before
}

// NewLibre returns a translator. The server is not asked.
func NewLibre(c LibreConfig) (*Libre, error) {
	base, err := remote.Base(c.URL)
	if err != nil {
		return nil, fmt.Errorf("translation server: %w", err)
	}
	if c.MaxInput <= 0 {
		c.MaxInput = 2000
	}
	return &Libre{config: c, base: base, asking: make(chan struct{}, 1), caller: remote.New(remote.Config{
		Service: "translation server", Client: c.Client, Concurrency: c.Concurrency, Queue: c.Queue,
		Attempts: c.Attempts,
		Timeout:  c.Timeout, Budget: c.Budget, MinBackoff: c.MinBackoff, MaxBackoff: c.MaxBackoff, MaxAnswer: 1 << 20,
	})}, nil
}

// Close ends all requests and returns when they have.
func (l *Libre) Close() error { return l.caller.Close() }

// Name is that of the protocol.
func (l *Libre) Name() string { return "libretranslate" }

// Can asks the server for its languages where that was not done of late.
func (l *Libre) Can(ctx context.Context, from, to string) error {
	_, _, err := l.codes(ctx, from, to)
	return err
}

// Translate makes as many requests as it takes, one after another.
func (l *Libre) Translate(ctx context.Context, texts []string, from, to string, o Options) ([]string, error) {
	source, target, err := l.codes(ctx, from, to)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(texts))
	err = bisect(batches(texts, maxTexts, l.config.MaxInput), func(at []int) (bool, error) {
		return l.some(ctx, texts, out, at, source, target)
	})
	return out, err
}

// some translates the texts at these places, and reports whether the server answered: what is
// missing then it has no translation of.
func (l *Libre) some(ctx context.Context, texts, out []string, at []int, source, target string) (answered bool,
	err error) {
	asked := pick(texts, at)
	body := map[string]any{"q": asked, "source": source, "target": target, "format": "text"}
	if l.config.Key != "" {
		body["api_key"] = l.config.Key
	}
	b, err := json.Marshal(body)
	if err != nil {
		return false, fmt.Errorf("encode texts: %w", err)
	}
	err = l.caller.Call(ctx, func(ctx context.Context) error {
		said, err := l.request(ctx, http.MethodPost, "/translate", b)
		if err != nil {
			return err
		}
		translated, err := readTexts(said, asked)
		for i, s := range translated {
			out[at[i]] = s
			answered = answered || s != ""
		}
		if err != nil {
			return l.caller.Invalid(err.Error(), !answered)
		}
		return nil
	})
	return answered, err
}

// readTexts reads an answer: a text for each that was asked for, empty where it is none, beside the
// first error. nil: there is no answer. Errors quote nothing of it.
func readTexts(b []byte, asked []string) (texts []string, first error) {
	var a struct{ TranslatedText []string }
	switch err := json.Unmarshal(b, &a); {
	case err != nil:
		return nil, errors.New("it is no translation")
	case len(a.TranslatedText) != len(asked):
		return nil, errors.New("it has another number of texts")
	}
	for i, s := range a.TranslatedText {
		err := plausible(s, asked[i])
		if s = line(s); s == "" {
			err = errors.New("a text is empty")
		}
		if err != nil {
			s, first = "", cmp.Or(first, err)
		}
		a.TranslatedText[i] = s
	}
	return a.TranslatedText, first
}

func (l *Libre) request(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, l.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, l.caller.Fault(http.StatusInternalServerError, "Unreachable", "could not be reached",
			errors.New("make request"))
	}
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := l.caller.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}
