package pool

import (
	"context"
	"sync"

	"steno/session/asr"
	"steno/session/asr/riva/enginepb"
)

// delegate is the pool's [asr.Delegate]: it asks one server after the other, three at most, until
// one succeeds or lacks the language. A failure here does not count against a server's health.
func (r *Recognizer) delegate(ctx context.Context, try func(any) error) error {
	err := r.Ready()
	if err != nil {
		return err
	}
	r.mu.Lock()
	order := r.order()
	r.mu.Unlock()
	for _, s := range order[:min(len(order), maxTries)] {
		if err = try(s.client); decisive(ctx, err) {
			return err
		}
	}
	if err == nil {
		err = asr.ErrUnavailable // the last server went just now
	}
	return err
}

// Models implements [asr.Lister] by the models of one server.
func (r *Recognizer) Models(ctx context.Context) (models []asr.Model, err error) {
	err = r.delegate(ctx, func(client any) error {
		models, err = client.(asr.Lister).Models(ctx)
		return err
	})
	return models, err
}

// Figures asks the servers that are up for their counts, all at the same time, by address. Those
// without are left out.
func (r *Recognizer) Figures(ctx context.Context) map[string]*enginepb.Figures {
	r.mu.Lock()
	order := r.order()
	r.mu.Unlock()
	answers := make([]*enginepb.Figures, len(order))
	var asked sync.WaitGroup
	for i, s := range order {
		asked.Go(func() { answers[i], _ = r.figures(ctx, s) }) // nil means that there are none
	}
	asked.Wait()
	all := map[string]*enginepb.Figures{}
	for i, figures := range answers {
		if figures != nil {
			all[order[i].address] = figures
		}
	}
	return all
}

func (r *Recognizer) figures(ctx context.Context, s *server) (*enginepb.Figures, error) {
	ctx, cancel := context.WithTimeout(ctx, r.config.HealthTimeout)
	defer cancel()
	return s.client.Figures(ctx)
}
