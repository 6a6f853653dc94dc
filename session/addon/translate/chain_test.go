package translate_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/addon/remote"
	"steno/session/addon/translate"
	"steno/session/internal/fakeapi"
)

// timed is a translator that takes its time, or fails.
type timed struct {
	capitals
	name string
	// takes is how long a translation takes at the time, since the test began.
	takes func(since time.Duration) time.Duration
	began time.Time
	asked *[]string
}

func (d *timed) Name() string { return d.name }

func (d *timed) Translate(ctx context.Context, texts []string, from, to string, o translate.Options) ([]string, error) {
	begin := time.Now()
	select {
	case <-time.After(d.takes(begin.Sub(d.began))):
		*d.asked = append(*d.asked, d.name)
		return d.capitals.Translate(ctx, texts, from, to, o)
	case <-ctx.Done():
		*d.asked = append(*d.asked, fmt.Sprintf("%s for %v", d.name, time.Since(begin)))
		return nil, ctx.Err()
	}
}

const never = 1000 * time.Hour

// TestHangingLeavesTime asks with a budget of 4 s, by the clock: the first gets half of it, and is
// asked after the others for as long as it rests.
func TestHangingLeavesTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		recovers := func(since time.Duration) time.Duration {
			if since < 40*time.Second {
				return never
			}
			return time.Second
		}
		always := func(took time.Duration) func(time.Duration) time.Duration {
			return func(time.Duration) time.Duration { return took }
		}
		began := time.Now()
		c := translate.First(
			&timed{name: "a", takes: recovers, began: began, asked: &asked},
			&timed{name: "stranger", capitals: capitals{knows: "fr"}, takes: always(never), asked: &asked},
			&timed{name: "b", takes: always(time.Second), asked: &asked},
		)
		for _, step := range []struct {
			at   time.Duration
			want string
		}{
			{0, "[a for 2s b]"}, {10 * time.Second, "[b]"}, {31 * time.Second, "[b]"},
			{33 * time.Second, "[a for 2s b]"},
			{64 * time.Second, "[b]"}, {66 * time.Second, "[a]"}, {70 * time.Second, "[a]"},
		} {
			time.Sleep(step.at - time.Since(began))
			asked = nil
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
			out, err := c.Translate(ctx, []string{"x"}, "en", "xx", translate.Options{})
			cancel()
			if got := fmt.Sprint(asked); err != nil || len(out) != 1 || out[0] != "X" || got != step.want {
				t.Errorf("after %v: %q, %v; asked %s, want %s", step.at, out, err, got, step.want)
			}
		}
	})
}

// TestSlowIsForRecordings has a translator that is too slow for 4 s: it is asked last where there
// are 4 s again, but first where there is a minute, whichever came before.
func TestSlowIsForRecordings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		takes := 3 * time.Second
		slow := &timed{name: "slow", takes: func(time.Duration) time.Duration { return takes }, asked: &asked}
		fast := &timed{name: "fast", takes: func(time.Duration) time.Duration { return 0 }, asked: &asked}
		c := translate.First(slow, fast)
		for _, step := range []struct {
			takes, within time.Duration
			want          string
		}{
			{3 * time.Second, 4 * time.Second, "[slow for 2s fast]"},
			{3 * time.Second, 4 * time.Second, "[fast]"},
			{3 * time.Second, time.Minute, "[slow]"},
			{3 * time.Second, 4 * time.Second, "[fast]"},
			{never, 20 * time.Second, "[slow for 10s fast]"},
			{never, 20 * time.Second, "[fast]"},
			{never, 4 * time.Second, "[fast]"},
			{never, 42 * time.Second, "[slow for 21s fast]"},
		} {
			asked, takes = nil, step.takes
			ctx, cancel := context.WithTimeout(t.Context(), step.within)
			_, err := c.Translate(ctx, []string{"x"}, "en", "xx", translate.Options{})
			cancel()
			if got := fmt.Sprint(asked); err != nil || got != step.want {
				t.Errorf("within %v: %v; asked %s, want %s", step.within, err, got, step.want)
			}
		}
	})
}

// TestShares holds how much time each has where all hang.
func TestShares(t *testing.T) {
	for name, test := range map[string]struct {
		knows []string // the source languages of the translators
		want  string
		again string // what a second request finds
	}{
		"three":           {[]string{"", "", ""}, "[0 for 2s 1 for 1s 2 for 1s]", "[0 for 2s 1 for 1s 2 for 1s]"},
		"one":             {[]string{""}, "[0 for 4s]", "[0 for 4s]"},
		"only one of two": {[]string{"en", "fr"}, "[0 for 4s]", "[0 for 4s]"},
		"only the second": {[]string{"fr", "en"}, "[1 for 4s]", "[1 for 4s]"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var asked []string
			var all []translate.Translator
			for i, knows := range test.knows {
				all = append(all, &timed{name: fmt.Sprint(i), capitals: capitals{knows: knows},
					takes: func(time.Duration) time.Duration { return never }, asked: &asked})
			}
			c := translate.First(all...)
			for _, want := range []string{test.want, test.again} {
				asked = nil
				ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
				_, err := c.Translate(ctx, []string{"x"}, "en", "xx", translate.Options{})
				cancel()
				if told := remote.Addon(err); told == nil || told.StatusCode != 504 || fmt.Sprint(asked) != want {
					t.Errorf("%s: %+v; asked %v, want %s", name, told, asked, want)
				}
			}
		})
	}
}

// TestWhoRests fails the first translator once, and asks the chain again.
func TestWhoRests(t *testing.T) {
	for name, test := range map[string]struct {
		failed error
		rests  bool
	}{
		"unreachable":    {remote.NewError(502, "TranslationServerUnreachable", "x", nil), true},
		"busy":           {remote.NewError(429, "TranslationServerRateLimited", "x", nil), true},
		"broken":         {fmt.Errorf("x"), true},
		"no answer":      {remote.NewError(502, "TranslationInvalid", "x", nil), false},
		"no such answer": {remote.NewError(502, "LanguageModelInvalidAnswer", "x", nil), false},
		"declined":       {remote.NewError(502, "LanguageModelDeclined", "x", nil), false},
		"too long":       {remote.NewError(413, "TranslationTooLong", "x", nil), false},
		"no time at all": {context.DeadlineExceeded, false},
	} {
		var first, second []string
		c := translate.First(capitals{err: test.failed, asked: &first}, capitals{asked: &second})
		for range 2 {
			if out, err := c.Translate(t.Context(), []string{"x"}, "en", "xx", translate.Options{}); err != nil ||
				len(out) != 1 {
				t.Errorf("%s: %q, %v", name, out, err)
			}
		}
		if rests := len(first) == 1; rests != test.rests || len(second) != 2 {
			t.Errorf("%s: asked %d and %d times", name, len(first), len(second))
		}
	}
}

// TestCancelledIsNobodysFault cancels a request, which is no evidence of an outage of the
// translator.
func TestCancelledIsNobodysFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		slow := &timed{name: "a", takes: func(time.Duration) time.Duration { return 2 * time.Second }, asked: &asked}
		c := translate.First(slow, capitals{})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := c.Translate(ctx, []string{"x"}, "en", "xx", translate.Options{}); err == nil {
			t.Error("no error")
		}
		if _, err := c.Translate(t.Context(), []string{"x"}, "en", "xx", translate.Options{}); err != nil ||
			fmt.Sprint(asked) != "[a for 1s a]" {
			t.Errorf("%v; asked %v", err, asked)
		}
	})
}

// TestLibreHangs has a server that never answers, not even with its languages, before another
// translator: within 4 s the other has translated, and those that ask meanwhile wait no longer than
// in their own time.
func TestLibreHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		hangs := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			requests++
			<-r.Context().Done()
		})
		l, err := translate.NewLibre(translate.LibreConfig{URL: "http://x", Client: fakeapi.Direct(hangs)})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		both := translate.First(l, capitals{})
		ask := func(tr translate.Translator, within time.Duration) (time.Duration, error) {
			ctx, cancel := context.WithTimeout(t.Context(), within)
			defer cancel()
			begin := time.Now()
			_, err := translate.Utterances(ctx, tr, one("x"), "xx", matching())
			return time.Since(begin), err
		}
		done := make(chan time.Duration)
		go func() {
			time.Sleep(time.Second)
			took, _ := ask(l, 500*time.Millisecond)
			done <- took
		}()
		if took, err := ask(both, 4*time.Second); err != nil || took != 2*time.Second {
			t.Errorf("%v after %v", err, took)
		}
		if took := <-done; took != 500*time.Millisecond {
			t.Errorf("the other waited for %v", took)
		}
		if took, err := ask(both, 4*time.Second); err != nil || took != 0 {
			t.Errorf("again: %v after %v", err, took)
		}
		took, err := ask(l, 4*time.Second)
		if told := remote.Addon(err); told == nil || told.StatusCode != 504 || took != 0 || requests != 1 {
			t.Errorf("alone: %+v after %v and %d requests", told, took, requests)
		}
	})
}
