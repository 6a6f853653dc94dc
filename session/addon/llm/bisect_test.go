package llm_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"steno/session/addon/llm"
	"steno/session/addon/remote"
	"steno/session/addon/sentiment"
	"steno/session/addon/translate"
)

// speech is so many sentences; those named are "poison".
func speech(n int, poison ...int) llm.Transcript {
	all := slices.Repeat([]string{"hello there"}, n)
	for _, i := range poison {
		all[i] = "poison"
	}
	return talk(all...)
}

// poisoned refuses whatever holds a word, with this status, and counts.
func poisoned(t *testing.T, status int) *model {
	return &model{t: t, reply: honest, before: func(w http.ResponseWriter, q question) bool {
		for _, s := range q.data.Sentences {
			if strings.Contains(s.Text, "poison") {
				http.Error(w, "no", status)
				return true
			}
		}
		return false
	}}
}

// One sentence that the model fails for costs only its own mood, wherever it stands.
func TestMoodsBesideAFailure(t *testing.T) {
	for _, bad := range [][]int{{0}, {59}, {60}, {99}, {3, 70}, {0, 1, 2, 60, 61, 62}} {
		for _, status := range []int{500, 400} {
			c := serve(t, poisoned(t, status), llm.Config{Attempts: 1})
			moods, err := sentiment.FromModel(t.Context(), c, speech(100, bad...))
			if told := remote.Addon(err); told == nil || told.StatusCode != 502 || len(moods) != 100 {
				t.Fatalf("%v at %d: %d moods, %+v", bad, status, len(moods), told)
			}
			for i, m := range moods {
				if missing := m == (sentiment.ModelSentiment{}); missing != slices.Contains(bad, i) {
					t.Errorf("%v at %d: mood %d is %+v", bad, status, i, m)
				}
			}
		}
	}
}

// A server that fails whatever it is asked is not asked about each half of each half.
func TestMoodsOfADeadServer(t *testing.T) {
	for status, most := range map[int]int{503: 2, 401: 2, 500: 16} {
		all := make([]int, 100)
		for i := range all {
			all[i] = i
		}
		m := poisoned(t, status)
		c := serve(t, m, llm.Config{Attempts: 1})
		moods, err := sentiment.FromModel(t.Context(), c, speech(100, all...))
		var e *remote.Error
		if !errors.As(err, &e) || slices.ContainsFunc(moods, func(m sentiment.ModelSentiment) bool {
			return m !=
				(sentiment.ModelSentiment{})
		}) {
			t.Errorf("%d: %v, %+v", status, err, moods)
		}
		if n := len(m.Seen()); n > most {
			t.Errorf("%d: %d requests", status, n)
		}
	}
}

// One sentence that the model fails for costs only its own translation; one in parts, that of the
// whole.
func TestTranslationsBesideAFailure(t *testing.T) {
	for _, bad := range [][]int{nil, {0}, {59, 60}, {99}, {100}} {
		c := serve(t, poisoned(t, 500), llm.Config{Attempts: 1, MaxInput: 2000})
		talk := speech(101, bad...)
		talk.Sentences[100].Text = strings.Repeat("hello there ", 300) + talk.Sentences[100].Text
		texts, err := translate.FromModel(t.Context(), c, talk, translate.Translation{From: "en", To: "fr"})
		if (err == nil) != (bad == nil) || len(texts) != 101 {
			t.Fatalf("%v: %d texts, %v", bad, len(texts), err)
		}
		for i, s := range texts {
			if missing := s == ""; missing != slices.Contains(bad, i) {
				t.Errorf("%v: text %d is %q", bad, i, s)
			}
		}
	}
}
