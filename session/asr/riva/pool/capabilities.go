package pool

import (
	"context"
	"errors"

	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/riva/enginepb"
)

// try asks one server after the other, at most three, until one can. What they cannot do beside recognition is not held
// against them.
func try[T any](r *Recognizer, ask func(*riva.Recognizer) (T, error)) (T, error) {
	var none T
	err := r.Ready()
	if err != nil {
		return none, err
	}
	r.mu.Lock()
	order := r.order()
	r.mu.Unlock()
	for _, s := range order[:min(len(order), maxTries)] {
		var got T
		if got, err = ask(s.client); err == nil || !errors.Is(err, asr.ErrUnavailable) {
			return got, err
		}
	}
	if err == nil {
		err = asr.ErrUnavailable // the last server went just now
	}
	return none, err
}

// Models lists a server's models.
func (r *Recognizer) Models(ctx context.Context) ([]asr.Model, error) {
	return try(r, func(c *riva.Recognizer) ([]asr.Model, error) { return c.Models(ctx) })
}

// Identify has a server tell the language.
func (r *Recognizer) Identify(ctx context.Context, samples []int16, among []string) (string, error) {
	return try(r, func(c *riva.Recognizer) (string, error) { return c.Identify(ctx, samples, among) })
}

// Punctuate has a server put marks and capitals into text.
func (r *Recognizer) Punctuate(ctx context.Context, language, text string) (string, error) {
	return try(r, func(c *riva.Recognizer) (string, error) { return c.Punctuate(ctx, language, text) })
}

// Diarize has a server tell speakers apart.
func (r *Recognizer) Diarize(ctx context.Context, samples []int16, want asr.Speakers) ([]asr.Turn, error) {
	return try(r, func(c *riva.Recognizer) ([]asr.Turn, error) { return c.Diarize(ctx, samples, want) })
}

// Denoise starts a stream on a server.
func (r *Recognizer) Denoise(ctx context.Context) (asr.Denoising, error) {
	return try(r, func(c *riva.Recognizer) (asr.Denoising, error) { return c.Denoise(ctx) })
}

// Figures asks the servers that are up for their counts, by address. Those that have none are left out.
func (r *Recognizer) Figures(ctx context.Context) map[string]*enginepb.Figures {
	all := map[string]*enginepb.Figures{}
	r.mu.Lock()
	order := r.order()
	r.mu.Unlock()
	for _, s := range order {
		if figures, err := r.figures(ctx, s); err == nil {
			all[s.address] = figures
		}
	}
	return all
}

func (r *Recognizer) figures(ctx context.Context, s *server) (*enginepb.Figures, error) {
	ctx, cancel := context.WithTimeout(ctx, r.config.HealthTimeout)
	defer cancel()
	return s.client.Figures(ctx)
}
