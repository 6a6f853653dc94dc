package openai_test

import (
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/openai"
)

// TestRest has a server that stops in the middle of an utterance: it is asked for the rest alone,
// once, unless that is silence.
func TestRest(t *testing.T) {
	const half = `{"language":"spanish","segments":[{"start":0,"end":2.1,"text":" uno dos tres"}]}`
	const rest = `{"language":"german","segments":[{"start":0,"end":1,"text":" Tres vier fünf sechs sieben"}]}`
	loud, quiet := asrtest.Ramp(4*asr.Rate, 1), asrtest.Ramp(4*asr.Rate, 1)
	clear(quiet[2*asr.Rate:])
	clear(loud[:asr.Rate/2]) // a level stands out from another alone
	for name, test := range map[string]struct {
		samples  []int16
		first    string
		rest     string
		status   int // of the first answers for the rest
		broken   int // how many have that status
		words    string
		language string
		requests int
	}{
		"more words": {loud, half, rest, 200, 0, "uno dos tres vier fünf sechs sieben", "de", 2},
		"fewer words": {loud, half, `{"language":"german","text":"vier fünf"}`, 200, 0,
			"uno dos tres vier fünf", "es", 2},
		"nothing": {loud, half, `{"text":""}`, 200, 0, "uno dos tres", "es", 2},
		"silence": {quiet, half, rest, 200, 0, "uno dos tres", "es", 1},
		"all was heard": {loud,
			`{"language":"spanish","segments":[{"start":0,"end":3.5,"text":" uno dos tres"}]}`, rest, 200, 0,
			"uno dos tres", "es", 1},
		"no segments": {loud, `{"language":"spanish","text":"uno dos tres"}`, rest, 200, 0, "uno dos tres",
			"es", 1},
		"refused":             {loud, half, rest, 413, 9, "uno dos tres", "es", 2},
		"broken for a moment": {loud, half, rest, 503, 1, "uno dos tres vier fünf sechs sieben", "de", 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				broken := 0
				server := &api{t: t, before: func(w http.ResponseWriter, _ *http.Request, q request) bool {
					switch {
					case len(q.samples) == len(test.samples):
						_, _ = io.WriteString(w, test.first)
					case broken < test.broken:
						broken++
						w.WriteHeader(test.status)
					default:
						_, _ = io.WriteString(w, test.rest)
					}
					return true
				}}
				u := open(t, direct(t, server, openai.Config{Detects: true}),
					asr.Params{Languages: []string{"es", "de"}})
				if err := errors.Join(u.Write(test.samples), u.End()); err != nil {
					t.Fatal(err)
				}
				got, err := u.Recv()
				if err != nil || texts(got.Words) != test.words || got.Language != test.language ||
					len(server.Seen()) != test.requests {
					t.Errorf("%q in %s, %v, after %d requests; want %q in %s after %d", texts(got.Words), got.Language,
						err, len(server.Seen()),
						test.words, test.language, test.requests)
				}
				before := 0
				for i, w := range got.Words {
					if w.Start < before || w.End < w.Start || w.End > len(test.samples) || i == 3 &&
						w.Start < asr.Rate*18/10 {
						t.Errorf("word %d: %+v", i, w)
					}
					before = w.Start
				}
			})
		})
	}
}
