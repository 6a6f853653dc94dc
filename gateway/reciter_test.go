package gateway

import (
	"context"
	"strings"
	"sync"

	"steno/session/asr"
)

// reciter is a recognizer that hears the given sentences, one in each utterance, in the order these are opened; their
// words share the utterance's time. Where there are no more sentences nothing is heard.
type reciter struct {
	mu   sync.Mutex
	left []string
}

func recite(sentences ...string) *reciter { return &reciter{left: sentences} }

func (r *reciter) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	u := &recital{ctx: ctx, language: p.Language, ended: make(chan struct{})}
	if len(r.left) > 0 {
		u.words, r.left = strings.Fields(r.left[0]), r.left[1:]
	}
	return u, ctx.Err()
}

type recital struct {
	ctx      context.Context
	language string
	words    []string
	ended    chan struct{}
	samples  int
}

func (u *recital) Write(samples []int16) error { u.samples += len(samples); return nil }
func (u *recital) Pause() error                { return nil }
func (u *recital) End() error                  { close(u.ended); return nil }

func (u *recital) Recv() (asr.Result, error) {
	select {
	case <-u.ended:
	case <-u.ctx.Done():
		return asr.Result{}, u.ctx.Err()
	}
	result := asr.Result{Final: true, Timed: true, Language: u.language, Engine: "reciter"}
	for i, text := range u.words {
		result.Words = append(result.Words, asr.Word{
			Text: text, Start: u.samples * i / len(u.words), End: u.samples * (i + 1) / len(u.words), Confidence: 0.9,
		})
	}
	return result, nil
}
