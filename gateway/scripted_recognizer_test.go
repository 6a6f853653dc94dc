package gateway

import (
	"context"
	"strings"
	"sync"

	"steno/session/asr"
)

// scriptedRecognizer recognizes the given sentences, one in each utterance, in the order of
// opening; their words share the utterance's time. After the last sentence it recognizes nothing.
type scriptedRecognizer struct {
	mu   sync.Mutex
	left []string
}

func recite(sentences ...string) *scriptedRecognizer { return &scriptedRecognizer{left: sentences} }

func (r *scriptedRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	u := &scriptedStream{ctx: ctx, language: p.Language, ended: make(chan struct{})}
	if len(r.left) > 0 {
		u.words, r.left = strings.Fields(r.left[0]), r.left[1:]
	}
	return u, ctx.Err()
}

type scriptedStream struct {
	ctx      context.Context
	language string
	words    []string
	ended    chan struct{}
	samples  int
}

func (u *scriptedStream) Write(samples []int16) error { u.samples += len(samples); return nil }
func (u *scriptedStream) Pause() error                { return nil }
func (u *scriptedStream) End() error                  { close(u.ended); return nil }

func (u *scriptedStream) Recv() (asr.Result, error) {
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
