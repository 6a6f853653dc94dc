package live

import (
	"time"

	"steno/gateway/recovery"
	"steno/session/panics"
)

// repeat runs a task immediately and then at the interval, until the server's life ends. Of
// consecutive failures the first is logged, with the message, and reported under the name.
func (s *site) repeat(interval time.Duration, name, message string, task func() error) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	failing := false
	for {
		err := panics.Catch(task)
		if err != nil && !failing && s.life.Err() == nil {
			s.cfg.Recoverer.Report(recovery.Task, name, err)
			s.cfg.Log.Error().Err(err).Msg(message)
		}
		failing = err != nil
		select {
		case <-s.life.Done():
			return
		case <-tick.C:
		}
	}
}
