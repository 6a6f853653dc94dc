package translate_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/remote"
	"steno/session/addon/translate"
)

// spoken is so many utterances of different speakers; those named are poison.
func spoken(n int, poison ...int) []messages.Utterance {
	us := make([]messages.Utterance, n)
	for i := range us {
		text := fmt.Sprintf(" this is number %d", i)
		if slices.Contains(poison, i) {
			text = " poison"
		}
		us[i] = said(i%2, float64(i), float64(i+1), text, "en")
	}
	return us
}

// poisoned answers requests with a poisoned text in its own way.
func poisoned(answer func(w http.ResponseWriter, q query)) func(http.ResponseWriter, query) bool {
	return func(w http.ResponseWriter, q query) bool {
		if !slices.Contains(q.Q, "poison") {
			return false
		}
		answer(w, q)
		return true
	}
}

func refusing(status int) func(http.ResponseWriter, query) {
	return func(w http.ResponseWriter, _ query) { w.WriteHeader(status) }
}

// emptied has no translation of what is poisoned, but of the others.
func emptied(w http.ResponseWriter, q query) {
	var texts []string
	for _, s := range q.Q {
		texts = append(texts, fmt.Sprintf("%q", strings.ToUpper(strings.ReplaceAll(s, "poison", ""))))
	}
	_, _ = io.WriteString(w, `{"translatedText":[`+strings.Join(texts, ",")+`]}`)
}

// What a server fails for costs only its own translation, wherever it stands, and little more than
// what all would take.
func TestBesideAFailure(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter, query){
		"refused": refusing(400), "broken": refusing(500), "empty": emptied,
		"garbage": func(w http.ResponseWriter, _ query) { _, _ = io.WriteString(w, "amber") },
	} {
		for _, bad := range [][]int{nil, {0}, {49}, {50}, {99}, {3, 70}, {0, 1, 2, 60, 61, 62}} {
			server := &libre{t: t, before: poisoned(answer)}
			l := serve(t, server, translate.LibreConfig{Attempts: 1})
			us := spoken(100, bad...)
			got, err := translate.Utterances(t.Context(), translate.First(l), us, "es", matching())
			if told := remote.Addon(err); (told == nil) != (len(bad) == 0) || told != nil && told.StatusCode != 502 {
				t.Errorf("%s %v: %+v", name, bad, told)
			}
			var want, texts []string
			for i, u := range us {
				if !slices.Contains(bad, i) {
					want = append(want, strings.ToUpper(u.Text))
				}
			}
			for _, u := range got {
				texts = append(texts, u.Text)
			}
			if !slices.Equal(texts, want) {
				t.Errorf("%s %v: got %q", name, bad, texts)
			}
			most := 2 + 13*len(bad) // 1 of 50 texts takes 6 halvings of two requests each
			if name == "empty" {
				most = 2
			}
			if len(server.asked) < 2 || len(server.asked) > most {
				t.Errorf("%s %v: %d requests", name, bad, len(server.asked))
			}
		}
	}
}

// A server that fails whatever it is asked is not asked about each text.
func TestDeadServer(t *testing.T) {
	for status, most := range map[int]int{503: 1, 403: 1, 429: 1, 500: 8, 400: 8} {
		server := &libre{t: t, before: func(w http.ResponseWriter, _ query) bool { w.WriteHeader(status); return true }}
		l := serve(t, server, translate.LibreConfig{Attempts: 1})
		got, err := translate.Utterances(t.Context(), l, spoken(1000), "es", matching())
		if err == nil || len(got) != 0 || len(server.asked) != most {
			t.Errorf("%d: %d of it, %v, after %d requests", status, len(got), err, len(server.asked))
		}
		server.asked = nil
		together := matching()
		together.MatchOriginalUtterances = false
		got, err = translate.Utterances(t.Context(), l, spoken(1000), "es", together)
		if err == nil || len(got) != 0 || len(server.asked) > 3*most {
			t.Errorf("%d together: %d of it, %v, after %d requests", status, len(got), err, len(server.asked))
		}
	}
}

// What was translated before the time was over stays.
func TestTimeIsOver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := &libre{t: t}
	server.before = func(http.ResponseWriter, query) bool {
		if len(server.asked) == 3 {
			cancel()
		}
		return len(server.asked) == 3
	}
	l := serve(t, server, translate.LibreConfig{})
	got, err := translate.Utterances(ctx, translate.First(l), spoken(200), "es", matching())
	if !errors.Is(err, context.Canceled) || len(got) != 100 || got[99].Text != " THIS IS NUMBER 99" {
		t.Errorf("%d of it, %v", len(got), err)
	}
}

// What is together fails in halves, so one utterance does not cost all that its speaker said in a
// row.
func TestHalves(t *testing.T) {
	us := spoken(40, 13)
	for i := range us {
		us[i].Speaker = nil
		us[i].Text += "."
	}
	us[20].Language, us[21].Language = "fr", "fr" // which the server cannot
	l := serve(t, &libre{t: t, before: func(w http.ResponseWriter, q query) bool {
		poison := strings.Contains(strings.Join(q.Q, ""), "poison")
		if poison {
			w.WriteHeader(500)
		}
		return poison
	}}, translate.LibreConfig{Attempts: 1})
	c := matching()
	c.MatchOriginalUtterances = false
	got, err := translate.Utterances(t.Context(), l, us, "es", c)
	if told := remote.Addon(err); told == nil || told.StatusCode != 502 || len(got) != 37 {
		t.Fatalf("%+v, %d utterances", told, len(got))
	}
	at := 0
	for i, u := range us {
		if i == 13 || i == 20 || i == 21 {
			continue
		}
		if g := got[at]; g.Text != strings.ToUpper(u.Text) || g.Start < u.Start-0.5 || g.End > u.End+0.5 {
			t.Errorf("%d is %+v", i, g)
		}
		at++
	}
}

// TestSwitching keeps what is of the target language, and what can be translated, where another
// language cannot.
func TestSwitching(t *testing.T) {
	us := []messages.Utterance{
		said(0, 0, 1, " guten Tag", "de"), said(0, 1, 2, " hello", "en"), said(0, 2, 3, " hola", "xx"),
		said(0, 3, 4, " ... ?", "de"), said(0, 4, 5, " bye", "en"),
	}
	for _, matched := range []bool{true, false} {
		c := matching()
		c.MatchOriginalUtterances = matched
		got, err := translate.Utterances(t.Context(), capitals{knows: "en"}, us, "xx", c)
		if told := remote.Addon(err); told == nil || told.StatusCode != 422 || !strings.Contains(told.Message,
			"from de to xx") {
			t.Errorf("%+v", told)
		}
		if all := messages.FullText(got); all != "HELLO hola ... ? BYE" {
			t.Errorf("got %q", all)
		}
	}
}

// TestNothingToTranslate expects texts without letters or digits to be left as they are, without a
// request.
func TestNothingToTranslate(t *testing.T) {
	for _, text := range []string{"...", "?! —", "[NAME_1]", "###-### ...", "[NAME_1], [NAME_2]!", "♪ ♪"} {
		var asked []string
		got, err := translate.Utterances(t.Context(), capitals{asked: &asked}, one(text), "xx", matching())
		if err != nil || len(got) != 1 || got[0].Text != " "+text || got[0].Language != "xx" || len(asked) != 0 {
			t.Errorf("%q: %+v, %v, asked %q", text, got, err, asked)
		}
	}
}

// TestRest leaves to the next translator what the first had nothing for, and no more.
func TestRest(t *testing.T) {
	var asked []string
	server := &libre{t: t, before: poisoned(emptied)}
	rest := capitals{asked: &asked, change: func(s string) string { return "2" + s }}
	out, err := translate.First(serve(t, server, translate.LibreConfig{}), capitalsIntoAll{rest}).
		Translate(t.Context(), []string{"a", "poison", "", "b"}, "en", "es", translate.Options{})
	if err != nil || strings.Join(out, "|") != "A|2POISON||B" || strings.Join(asked, "|") != "|poison||" {
		t.Errorf("%q, %v, asked %q", out, err, asked)
	}
}

// capitalsIntoAll is capitals for all languages; texts that are empty stay so.
type capitalsIntoAll struct{ capitals }

func (capitalsIntoAll) Can(context.Context, string, string) error { return nil }
