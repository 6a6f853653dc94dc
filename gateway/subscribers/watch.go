package subscribers

import (
	"context"
	"time"

	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/gateway/web"
	"steno/session/panics"
)

// watchEvery is how often subscriptions are looked at: a key or token that is removed ends its
// subscriptions that soon.
const watchEvery = time.Second

// watch ends the subscriptions of keys and tokens that were removed or have expired, and those
// whose clients take nothing. It ends with the service.
func (s *Service) watch() {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-s.life.Done():
			return
		case <-tick.C:
		}
		s.round()
	}
}

// round inspects all subscriptions now, and reports what fails.
func (s *Service) round() {
	err := panics.Catch(func() error { return s.inspect(s.life, time.Now()) })
	if err != nil && s.life.Err() == nil {
		s.cfg.Recoverer.Report(recovery.Task, "subscribers", err)
		s.unreadable(err)
	}
}

// inspect looks at all subscriptions once.
func (s *Service) inspect(ctx context.Context, now time.Time) error {
	all := s.list()
	var asked []*subscription
	for _, t := range all {
		switch p := &t.principal; {
		case t.stalled(now):
			s.cfg.Metrics.Drop(metrics.DropStalled)
			t.out.cut()
		case !p.Expires.IsZero() && !now.Before(p.Expires):
			t.client.finish(endExpired)
		default:
			asked = append(asked, t)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	gone, err := s.removed(ctx, asked, now)
	if err != nil {
		return err
	}
	for _, t := range asked {
		if gone[t.principal.Credential()] {
			t.client.finish(endRevoked)
		}
	}
	return nil
}

// removed returns the keys and tokens of subscriptions that are not valid any more.
func (s *Service) removed(ctx context.Context, subscriptions []*subscription, now time.Time) (map[web.KeyHash]bool,
	error) {
	gone, keys, tokens := map[web.KeyHash]bool{}, map[web.KeyHash]bool{}, map[web.KeyHash]bool{}
	var hashes [][]byte
	for _, t := range subscriptions {
		p := &t.principal
		if p.IsToken() && !tokens[p.Token] {
			tokens[p.Token] = true
			hashes = append(hashes, p.Token[:])
		}
		if !s.cfg.HasKey(p.Key) {
			keys[p.Key] = true
		}
	}
	if len(hashes) > 0 {
		missing, err := s.cfg.Store.MissingTokens(ctx, hashes)
		if err != nil {
			return nil, err
		}
		for _, hash := range missing {
			gone[web.KeyHash(hash)] = true
		}
	}
	if len(keys) == 0 {
		return gone, nil
	}
	list, err := s.cfg.Store.ListKeys(ctx)
	if err != nil {
		return nil, err
	}
	for _, k := range list {
		if !k.Expired(now) {
			delete(keys, web.KeyHash(k.Hash))
		}
	}
	for _, t := range subscriptions {
		if keys[t.principal.Key] {
			gone[t.principal.Credential()] = true
		}
	}
	return gone, nil
}
