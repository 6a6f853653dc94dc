// Package llm sends tasks to a language model on any server with OpenAI's /chat/completions
// interface. The tasks themselves are in the folders of the add-ons that have them.
//
// A transcript is data. It goes to the model as JSON between delimiters that JSON cannot hold, and
// what comes back must fit the task's schema: numbers of sentences that exist, quotes that occur,
// one translation per text. So words of a transcript, even orders to the model, change at most the
// one task's answer about them. An answer that does not fit is sent back once with the reason, then
// refused.
//
// Long texts are cut into pieces between sentences; the answers for the pieces are combined, by the
// model itself where that takes understanding.
//
// The interface is spoken by github.com/sashabaranov/go-openai, under which package remote bounds,
// repeats and queues the requests. Tasks run on their caller's goroutine and those it waits for.
package llm

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sashabaranov/go-openai"

	"steno/session/addon/remote"
)

// Config specifies which server to use and how. URL and Model are needed; zero values take the
// defaults.
type Config struct {
	// URL is the interface's base, such as "https://api.openai.com/v1".
	URL string
	// Key is sent as the bearer token; empty: none. Errors never contain it.
	Key string
	// Model is the server's name of the model.
	Model string
	// Models are others that a request for answers may name.
	Models []string
	// SchemaMode is how the form of answers is asked for: "json_schema" (the default),
	// "json_object" or "none". What a server refuses is replaced by the next.
	SchemaMode string
	// MaxInput bounds the characters of a transcript in one request; default 24,000, at least
	// 1,000.
	MaxInput int
	// Client makes the requests; nil: one of its own. Redirects are never followed.
	Client *http.Client

	Concurrency int           // requests at a time, in the order of [remote.WithPriority]; default 4
	Queue       int           // calls waiting for their request; default 1024
	Attempts    int           // requests for one call, at most; default 3
	Timeout     time.Duration // of one request; default 1 min
	Budget      time.Duration // of one call, with its waiting; default 5 min
	MinBackoff  time.Duration // before the second request, doubled for each further one; default 500 ms
	MaxBackoff  time.Duration // the longest wait before another request; default 30 s
}

// Client is a language model. Its methods may be called from any goroutine; their errors are a
// [*remote.Error], or the cause of the context's end.
type Client struct {
	config Config
	caller *remote.Caller
	api    *openai.Client
	mode   atomic.Int32 // index of modes: the best that the server has not refused
	free   atomic.Bool  // the server refuses a temperature
}

// New returns a client. Errors name what is wrong with the configuration; the server is not asked.
func New(c Config) (*Client, error) {
	base, err := remote.Base(c.URL)
	if c.SchemaMode == "" {
		c.SchemaMode = modes[0]
	}
	mode := slices.Index(modes[:], c.SchemaMode)
	switch {
	case err != nil:
		return nil, fmt.Errorf("language model: %w", err)
	case c.Model == "":
		return nil, errors.New("language model: no model")
	case strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("language model: key holds characters that no header can")
	case mode < 0:
		return nil, fmt.Errorf("language model: schema mode must be one of %s", strings.Join(modes[:], ", "))
	case c.MaxInput != 0 && c.MaxInput < 1000:
		return nil, errors.New("language model: max input must be at least 1000 characters")
	}
	if c.MaxInput == 0 {
		c.MaxInput = 24_000
	}
	c.Models = slices.Clone(c.Models)
	client := &Client{config: c, caller: remote.New(remote.Config{
		Service: "language model", Client: c.Client, Concurrency: c.Concurrency, Queue: c.Queue, Attempts: c.Attempts,
		Timeout: c.Timeout, Budget: c.Budget, MinBackoff: c.MinBackoff, MaxBackoff: c.MaxBackoff, MaxAnswer: maxAnswer,
	})}
	api := openai.DefaultConfig(c.Key)
	api.BaseURL, api.HTTPClient = base, client.caller
	client.api = openai.NewClientWithConfig(api)
	client.mode.Store(int32(mode))
	return client, nil
}

// Close ends all requests and returns when they have.
func (c *Client) Close() error { return c.caller.Close() }

// Model returns the name of the model that answers where none is asked for.
func (c *Client) Model() string { return c.config.Model }

// MaxInput is how many characters of a transcript go into one request.
func (c *Client) MaxInput() int { return c.config.MaxInput }

// Fault is an error for a request that the client cannot make. The cause may be nil.
func (c *Client) Fault(status int, exception, does string, cause error) error {
	return c.caller.Fault(status, exception, does, cause)
}
