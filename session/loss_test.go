package session

import (
	"context"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/asr"
)

// TestLossIsToldOnce restores a session with a loss again and again.
func TestLossIsToldOnce(t *testing.T) {
	var m Memory
	sound := twoSentences()
	s := open(t, &m, `{}`, asr.Live)
	if err := s.Write(context.Background(), sound[:32000]); err != nil {
		t.Fatal(err)
	}
	s.Abandon()
	all := everything()
	for i := range 3 {
		c := configOf(t, &m, `{}`, asr.Live, all)
		c.Losses = []Loss{{Number: 3, From: 16000}, {Number: 5, From: 32000}}[:min(i+1, 2)]
		var err error
		if s, err = Open(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		if i < 2 {
			s.Abandon()
		}
	}
	if err := s.Stop(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	<-s.Done()
	told := slices.DeleteFunc(all.keys(), func(key string) bool { return !strings.HasPrefix(key, "error/") })
	if want := []string{"error/loss-3", "error/loss-5"}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	want := []messages.Warning{
		messages.LossWarning(messages.Loss{From: 0.5}.Text()), messages.LossWarning(messages.Loss{From: 1}.Text()),
	}
	if o := m.Outcome(); o == nil || o.Failure != nil || !slices.Equal(o.Result.Warnings, want) {
		t.Errorf("outcome %+v", o)
	}
}
