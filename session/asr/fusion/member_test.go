package fusion

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"steno/session/asr"
	"steno/session/asr/scripted"
)

// member is a scripted recognizer that records its calls, and misbehaves where a function is set.
type member struct {
	asr.Recognizer
	open  func() error
	write func(written int) error
	final func(asr.Result, error) (asr.Result, error)

	mu     sync.Mutex
	params []asr.Params
	paused int
}

func (m *member) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	m.mu.Lock()
	m.params = append(m.params, p)
	m.mu.Unlock()
	if m.open != nil {
		if err := m.open(); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	u, err := m.Recognizer.Open(ctx, p)
	if err != nil {
		cancel()
		return nil, err
	}
	return &fakeStream{Stream: u, member: m, lose: cancel}, nil
}

type fakeStream struct {
	asr.Stream
	member  *member
	lose    context.CancelFunc
	written int
}

func (u *fakeStream) Write(samples []int16) error {
	u.written += len(samples)
	if u.member.write != nil {
		if err := u.member.write(u.written); err != nil {
			u.lose()
			return err
		}
	}
	return u.Stream.Write(samples)
}

func (u *fakeStream) Pause() error {
	u.member.paused++
	return u.Stream.Pause()
}

func (u *fakeStream) Recv() (asr.Result, error) {
	r, err := u.Stream.Recv()
	if u.member.final != nil {
		return u.member.final(r, err)
	}
	return r, err
}

// hearing returns a member whose finals have the same words for any audio.
func hearing(language, words string, confidence float64) *member {
	return &member{
		Recognizer: scripted.New(scripted.Config{}),
		final: func(r asr.Result, err error) (asr.Result, error) {
			r.Words, r.Language = nil, language
			for _, w := range strings.Fields(words) {
				r.Words = append(r.Words, asr.Word{Text: w, Confidence: confidence})
			}
			r.Timed = false
			return r, err
		},
	}
}

// slurring returns a member with the words of scripted, except for one in so many.
func slurring(every int) *member {
	return &member{
		Recognizer: scripted.New(scripted.Config{Languages: []string{"en"}}),
		final: func(r asr.Result, err error) (asr.Result, error) {
			r.Words = slices.Clone(r.Words)
			for i := range r.Words {
				if i%every == every-1 {
					r.Words[i].Text = "slurred"
				}
			}
			return r, err
		},
	}
}

// unite puts members together, named a, b, c and so on.
func unite(t *testing.T, members ...asr.Recognizer) *Recognizer {
	t.Helper()
	var all []Member
	for i, m := range members {
		all = append(all, Member{Name: string(rune('a' + i)), Recognizer: m})
	}
	r, err := New(all...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// recognize writes a whole utterance, and returns what Recv does.
func recognize(t *testing.T, r asr.Recognizer, p asr.Params, samples []int16) (asr.Result, error) {
	t.Helper()
	u, err := r.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, do := range []func() error{func() error { return u.Write(samples) }, u.Pause, u.End} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	return u.Recv()
}
