package addon_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/addontest"
	"steno/session/addon/registry"
	"steno/session/addon/remote"
	"steno/session/addon/translate"
)

// translations translates a job of one utterance to the languages, in these ways.
func translations(t *testing.T, w *addon.Table,
	targets ...string) *messages.AddonResult[messages.List[messages.TranslationResult]] {
	t.Helper()
	request := fmt.Sprintf(`{"audio_url":"http://host/a.wav","translation":true,"translation_config":{"target_languages":["%s"]}}`, strings.Join(targets, `","`))
	q, problem := messages.ParsePreRecorded([]byte(request))
	if problem != nil {
		t.Fatal(problem)
	}
	result, err := addon.NewPreRecorded(q, w).Result(t.Context(), messages.LiveResult{
		Transcription: messages.Transcription{Utterances: []messages.Utterance{utterance("en", "hello")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return result.Translation
}

// translator is ways of which translation takes so long, by its target.
func translator(does func(ctx context.Context, target string) error) addontest.Providers {
	return addontest.Providers{Runner: addon.Runner{Realtime: 5 * time.Second, PostProcessing: 8 * time.Second},
		Translate: func(ctx context.Context, _ []messages.Utterance, target string,
			_ messages.TranslationConfig) ([]messages.Utterance, error) {
			if err := does(ctx, target); err != nil {
				return nil, err
			}
			return []messages.Utterance{utterance(target, "to", target)}, nil
		}}
}

func hang(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// The time is that of the whole job, however many languages hang; the others stay.
func TestTranslationsShareTheirTime(t *testing.T) {
	for name, test := range map[string]struct {
		hangs, works []string
	}{
		"all hang":   {[]string{"es", "fr", "de"}, nil},
		"one hangs":  {[]string{"fr"}, []string{"es", "de", "it", "pt", "nl", "sv", "da", "fi", "pl", "cs"}},
		"many hang":  {[]string{"es", "de", "it", "pt", "nl", "sv", "da", "fi", "pl", "cs"}, nil},
		"none hangs": {nil, []string{"es", "de", "it", "pt", "nl", "sv", "da", "fi", "pl", "cs"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			var busy, most atomic.Int64
			w := translator(func(ctx context.Context, target string) error {
				defer busy.Add(-1)
				most.Store(max(most.Load(), busy.Add(1)))
				if slices.Contains(test.hangs, target) {
					return hang(ctx)
				}
				time.Sleep(time.Second)
				return nil
			})
			got := translations(t, w.Table(), slices.Concat(test.hangs, test.works)...)
			want := 2 * time.Second // eight at a time
			if len(test.hangs) > 0 {
				want = w.PostProcessing
			}
			if took := time.Since(begin); took != want || most.Load() > 8 {
				t.Errorf("%s: took %v, %d at a time; want %v", name, took, most.Load(), want)
			}
			if got.Success != (len(test.hangs) == 0) || got.IsEmpty || (got.Error == nil) != got.Success {
				t.Errorf("%s: %+v", name, got)
			}
			for i, target := range slices.Concat(test.hangs, test.works) {
				r := got.Results[i]
				if r.Languages[0] != target {
					t.Errorf("%s: %q in the place of %s", name, r.Languages, target)
				}
				if i < len(test.hangs) && (r.Error == nil || r.Error.StatusCode != 504) {
					t.Errorf("%s: %s hangs: %+v", name, target, r)
				}
				if i >= len(test.hangs) && (r.Error != nil || r.FullTranscript != "to "+target) {
					t.Errorf("%s: %s works: %+v", name, target, r)
				}
			}
		})
	}
}

// A language that is named twice is there once, in jobs as in live sessions.
func TestTargetsOnce(t *testing.T) {
	w := translator(func(context.Context, string) error { return nil })
	if got := translations(t, w.Table(), "es", "fr", "es", "es").Results; len(got) != 2 || got[0].Languages[0] !=
		"es" || got[1].Languages[0] != "fr" {
		t.Errorf("job: %+v", got)
	}
	l := live(t, `{"realtime_processing":{"translation":true,"translation_config":{"target_languages":["es","fr","es"]}}}`, w.Table())
	if got := l.Steps("00_00000000", utterance("en", "hello")); len(got) != 2 {
		t.Errorf("live: %d steps", len(got))
	}
}

// The wrapper of a live session is empty where nothing could be translated, and only then.
func TestLiveTranslationsThatFail(t *testing.T) {
	for name, test := range map[string]struct {
		fails                 []string // what fails: a target, or one of an utterance
		success, empty, whole bool     // whole: what is there is that of all utterances
	}{
		"nothing":       {nil, true, false, true},
		"one language":  {[]string{"fr"}, false, false, true},
		"one utterance": {[]string{"fr 0", "de 0"}, false, false, false},
		"everything":    {[]string{"fr", "de"}, false, true, false},
	} {
		ids := []string{"00_00000000", "00_00000001"}
		n := 0
		l := live(t, everyStep, translator(func(_ context.Context, target string) error {
			if slices.Contains(test.fails, target) || slices.Contains(test.fails, fmt.Sprint(target, " ", n)) {
				return remote.NewError(502, "Broken", "It broke", errors.New("cause"))
			}
			return nil
		}).Table())
		a := l.Results()
		r := messages.LiveResult{Transcription: messages.Transcription{FullTranscript: "hello hello"}}
		for i, id := range ids {
			n = i
			for _, s := range l.Steps(id, utterance("en", "hello")) {
				if s.Addon != "translation" {
					continue
				}
				add(t, a, messages.Event{Key: s.Key, Body: []byte(text(done(t, s)))})
			}
		}
		a.Put(&r, ids)
		got := r.Translation
		if got.Success != test.success || got.IsEmpty != (test.empty && test.success) || (got.Error == nil) !=
			test.success || len(got.Results) != 2 {
			t.Errorf("%s: %+v", name, got)
		}
		if de := got.Results[1].FullTranscript; (de == "to de to de") != test.whole || (de == "") != test.empty {
			t.Errorf("%s: German %q", name, de)
		}
	}
}

// spanish knows one pair of languages.
type spanish struct{}

func (spanish) Name() string { return "spanish" }

func (spanish) Can(_ context.Context, from, to string) error {
	if from != "en" || to != "es" {
		return remote.NewError(422, "Unsupported", "No translation from "+from+" to "+to, nil)
	}
	return nil
}

func (spanish) Translate(_ context.Context, texts []string, _, _ string, _ translate.Options) ([]string, error) {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = strings.ReplaceAll(s, "hello", "hola")
	}
	return out, nil
}

// Where languages are switched, jobs and live sessions keep what can be translated and what is in
// the target language, and report the same errors for the rest.
func TestTranslationsOfSwitching(t *testing.T) {
	us := []messages.Utterance{utterance("de", "guten", "Tag"), utterance("en", "hello"), utterance("es", "adiós"),
		utterance("en", "hello", "you")}
	type target struct{ text, message string }
	for name, test := range map[string]struct {
		said []messages.Utterance
		want []target // Spanish, English
	}{
		"all": {us, []target{{"hola adiós hola you", "No translation from de to es"},
			{"hello hello you", "No translation from de to en"}}},
		"one": {us[1:], []target{{"hola adiós hola you", ""}, {"hello hello you", "No translation from es to en"}}},
	} {
		for where, got := range map[string]*messages.AddonResult[messages.List[messages.TranslationResult]]{
			"job": translatedJob(t, test.said), "live": translatedLive(t, test.said),
		} {
			if got.Success || got.Error == nil || got.IsEmpty || len(got.Results) != 2 {
				t.Fatalf("%s of %s: %+v", where, name, got)
			}
			if first := cmp.Or(test.want[0].message, test.want[1].message); got.Error.Message != first {
				t.Errorf("%s of %s: %+v is not the first failure", where, name, got.Error)
			}
			for i, r := range got.Results {
				var message string
				if r.Error != nil {
					message = r.Error.Message
				}
				if is := (target{r.FullTranscript, message}); is != test.want[i] || messages.FullText(r.Utterances) !=
					is.text {
					t.Errorf("%s of %s: %+v, want %+v", where, name, r, test.want[i])
				}
			}
		}
	}
}

func translatedJob(t *testing.T, us []messages.Utterance) *messages.AddonResult[messages.List[messages.TranslationResult]] {
	t.Helper()
	q, problem := messages.ParsePreRecorded([]byte(`{"audio_url":"http://host/a.wav","translation":true,"translation_config":{"target_languages":["es","en"]}}`))
	if problem != nil {
		t.Fatal(problem)
	}
	result, err := addon.NewPreRecorded(q,
		registry.New(registry.Services{Translators: []translate.Translator{spanish{}}},
			addon.Runner{})).Result(t.Context(),
		messages.LiveResult{Transcription: messages.Transcription{Utterances: us}})
	if err != nil {
		t.Fatal(err)
	}
	return result.Translation
}

func translatedLive(t *testing.T, us []messages.Utterance) *messages.AddonResult[messages.List[messages.TranslationResult]] {
	t.Helper()
	l := live(t, `{"realtime_processing":{"translation":true,"translation_config":{"target_languages":["es","en"]}}}`,
		registry.New(registry.Services{Translators: []translate.Translator{spanish{}}}, addon.Runner{}))
	a := l.Results()
	var ids []string
	for i, u := range us {
		ids = append(ids, messages.UtteranceID(0, int64(i)))
		for _, s := range l.Steps(ids[i], u) {
			add(t, a, messages.Event{Key: s.Key, Body: []byte(text(done(t, s)))})
		}
	}
	var r messages.LiveResult
	a.Put(&r, ids)
	return r.Translation
}
