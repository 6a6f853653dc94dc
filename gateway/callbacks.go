package gateway

import (
	"fmt"
	"time"

	"steno/gateway/callbacks"
)

// Callbacks configures the delivery of callbacks. Zero values are replaced by the defaults of
// [callbacks.Config]. The tags have the keys and the bounds of the configuration.
type Callbacks struct {
	// signs requests for accounts with fewer than two secrets in the store: "whsec_…"
	Secret       string        `yaml:"secret"`
	Concurrency  int           `yaml:"concurrency" bounds:"1..1000"` // requests under way
	Timeout      time.Duration `yaml:"timeout" bounds:"1s..30s"`     // of a request
	FirstRetry   time.Duration `yaml:"first_retry" bounds:"10ms.."`  // after the first failure
	LongestRetry time.Duration `yaml:"longest_retry"`                // at most, however often it fails
	GiveUp       time.Duration `yaml:"give_up"`                      // after the first attempt
}

func (s *Server) startCallbacks() (*callbacks.Dispatcher, error) {
	c := s.cfg.Callbacks
	d, err := callbacks.New(callbacks.Config{
		Outbox: s.deps.Store, Sender: s.deps.Outbound, Watcher: callbacks.NewWatcher(s.metrics, s.recoverer, s.log),
		Body:    callbacks.EndBody(s.deps.Store),
		Auth:    callbacks.RecordAuth(s.deps.Store),
		Pace:    s.accounts.Callback,
		Secrets: s.deps.Store, Secret: c.Secret, Concurrency: c.Concurrency, Timeout: c.Timeout,
		FirstRetry:   c.FirstRetry,
		LongestRetry: c.LongestRetry, GiveUp: c.GiveUp, Keep: s.cfg.Limits.Keep,
	})
	if err != nil {
		return nil, fmt.Errorf("start callbacks: %w", err)
	}
	return d, nil
}
