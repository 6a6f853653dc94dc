package messages

import (
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestReadingQueries(t *testing.T) {
	for text, want := range map[string]any{
		"":                       PeaksQuery{Points: 1000},
		"from=-30&points=4000":   PeaksQuery{From: -30, Points: 4000},
		"from=1.5&to=2&points=1": PeaksQuery{From: 1.5, To: 2, Points: 1},
		"from=2&to=1":            "to",
		"to=-1":                  "to",
		"from=NaN":               "from",
		"from=1e9":               "from",
		"points=0":               "points",
		"points=4001":            "points",
	} {
		check(t, text, want, func(v url.Values) (any, *Problem) { return ParsePeaksQuery(v) })
	}
	for text, want := range map[string]any{
		"":                                 UtterancesQuery{Limit: 100, Words: true},
		"offset=7&limit=500&words=0":       UtterancesQuery{Offset: 7, Limit: 500},
		"text=bridge":                      UtterancesQuery{Limit: 100, Text: "bridge", Words: true},
		"limit=501":                        "limit",
		"words=perhaps":                    "words",
		"text=" + strings.Repeat("x", 201): "text",
	} {
		check(t, text, want, func(v url.Values) (any, *Problem) { return ParseUtterancesQuery(v) })
	}
	for text, want := range map[string]any{
		"":                       TranscriptQuery{Format: "txt"},
		"format=vtt&language=fr": TranscriptQuery{Format: "vtt", Language: "fr"},
		"language=pt-BR":         TranscriptQuery{Format: "txt", Language: "pt"},
		"format=doc":             "format",
		"format=srt&format=vtt":  "format",
	} {
		check(t, text, want, func(v url.Values) (any, *Problem) { return ParseTranscriptQuery(v) })
	}
	for text, want := range map[string]any{
		"text=boat&language=en&kind=live": SearchQuery{ListQuery: ListQuery{Limit: 20, Kinds: []JobKind{JobLive}},
			Text: "boat", Language: "en"},
		"language=EN": SearchQuery{ListQuery: ListQuery{Limit: 20}, Language: "en"},
		"limit=0":     "limit",
	} {
		check(t, text, want, func(v url.Values) (any, *Problem) { return ParseSearchQuery(v) })
	}
}

// check parses a query and wants that value, or a problem that names the parameter.
func check(t *testing.T, text string, want any, parse func(url.Values) (any, *Problem)) {
	t.Helper()
	values, err := url.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	got, problem := parse(values)
	if name, faulty := want.(string); faulty {
		if problem == nil || !slices.ContainsFunc(problem.ValidationErrors,
			func(e string) bool { return strings.HasPrefix(e, name+" ") }) {
			t.Errorf("%.60q: %+v, %v, want a fault of %s", text, got, problem, name)
		}
		return
	}
	if problem != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%.60q: %+v, %v, want %+v", text, got, problem, want)
	}
}
