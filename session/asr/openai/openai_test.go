package openai_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/openai"
)

var _ asr.Lister = (*openai.Recognizer)(nil)

func TestSuite(t *testing.T) {
	for name, c := range map[string]struct {
		tell      string
		speculate bool
	}{"Words": {"words", false}, "Text, speculating": {"text", true}} {
		t.Run(name, func(t *testing.T) {
			open := func(t *testing.T) asr.Recognizer {
				return serve(t, &api{t: t, tell: c.tell}, openai.Config{Languages: []string{"en", "haw"},
					Speculate: c.speculate})
			}
			asrtest.Run(t, open, asrtest.Ramp(2*asr.Rate, 1), asrtest.Ramp(5*asr.Rate, 77), asrtest.Ramp(700, 5))
		})
	}
}

// TestSameAsScripted holds that the way through the interface changes no word and no time.
func TestSameAsScripted(t *testing.T) {
	audio := asrtest.Ramp(7*asr.Rate+4321, 3)
	want := scriptedWords(t, audio)
	for _, tell := range []string{"words", "parts", "segments"} {
		r := serve(t, &api{t: t, tell: tell}, openai.Config{Name: "far"})
		u := open(t, r, asr.Params{})
		if err := errors.Join(u.Write(audio), u.End()); err != nil {
			t.Fatal(err)
		}
		got, err := u.Recv()
		if err != nil || !got.Final || !got.Timed || got.Language != "en" || got.Engine != "far" ||
			!reflect.DeepEqual(got.Words, want) {
			t.Errorf("%s: got %+v, %v; want %+v", tell, got, err, want)
		}
	}
}

func TestRequest(t *testing.T) {
	server := &api{t: t, tell: "words"}
	vocabulary := []asr.Term{
		{Text: "mild", Intensity: 0.1}, {Text: " hot\nstuff ", Intensity: 1}, {Text: strings.Repeat("x", 900),
			Intensity: 1}, {Text: ""},
	}
	r := serve(t, server, openai.Config{Key: "sk-1", Model: "m", Prompt: true})
	if got, err := recognize(t, r, asr.Params{Language: "haw", Vocabulary: vocabulary}); err != nil || got.Language !=
		"haw" {
		t.Fatalf("%+v, %v", got, err)
	}
	q := server.Seen()[0]
	want := map[string][]string{
		"model": {"m"}, "response_format": {"verbose_json"}, "timestamp_granularities[]": {"word", "segment"},
		"temperature": {"0"}, "language": {"haw"}, "prompt": {"hot stuff, mild"},
	}
	if !reflect.DeepEqual(q.fields, want) || q.header.Get("Authorization") != "Bearer sk-1" ||
		!slices.Equal(q.samples, asrtest.Ramp(asr.Rate, 1)) {
		t.Errorf("request %v, %v, %d samples", q.fields, q.header, len(q.samples))
	}
	server = &api{t: t, tell: "words"}
	if _, err := recognize(t, serve(t, server, openai.Config{}), asr.Params{Vocabulary: vocabulary}); err != nil {
		t.Fatal(err)
	}
	if q := server.Seen()[0]; q.fields["prompt"] != nil || q.fields["language"] != nil ||
		q.header.Get("Authorization") != "" {
		t.Errorf("request %v, %v", q.fields, q.header)
	}
}

func TestLanguages(t *testing.T) {
	two := []string{"de", "fr"}
	for name, test := range map[string]struct {
		config openai.Config
		params asr.Params
		want   string // sent; "refused": ErrLanguage
	}{
		"all, asked":       {openai.Config{}, asr.Params{Language: "yo"}, "yo"},
		"all, none asked":  {openai.Config{}, asr.Params{}, ""},
		"all, one of many": {openai.Config{}, asr.Params{Languages: []string{"haw", "en"}}, "haw"},
		"some, default":    {openai.Config{Languages: two}, asr.Params{}, "de"},
		"some, second":     {openai.Config{Languages: two}, asr.Params{Languages: []string{"en", "fr"}}, "fr"},
		"some, both":       {openai.Config{Languages: two}, asr.Params{Languages: []string{"fr", "de"}}, "de"},
		"some, other":      {openai.Config{Languages: two}, asr.Params{Language: "en"}, "refused"},
		"some, others":     {openai.Config{Languages: two}, asr.Params{Languages: []string{"en", "haw"}}, "refused"},
		"detected":         {openai.Config{Languages: two, Detects: true}, asr.Params{Languages: two}, ""},
		"detected, any":    {openai.Config{Languages: two, Detects: true}, asr.Params{}, ""},
		"detected, one":    {openai.Config{Detects: true}, asr.Params{Languages: []string{"fr"}}, "fr"},
		"detected, asked":  {openai.Config{Detects: true}, asr.Params{Language: "fr"}, "fr"},
	} {
		server := &api{t: t, tell: "words"}
		r := serve(t, server, test.config)
		if test.want == "refused" {
			if _, err := r.Open(t.Context(), test.params); !errors.Is(err, asr.ErrLanguage) {
				t.Errorf("%s: %v, want ErrLanguage", name, err)
			}
			continue
		}
		if _, err := recognize(t, r, test.params); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(server.Seen()[0].fields["language"], "+"); got != test.want {
			t.Errorf("%s: asked for %q, want %q", name, got, test.want)
		}
	}
}

// TestLanguageThatItCannotBe has a server that takes what it is given for German unless it is sent
// the language: it is sent then.
func TestLanguageThatItCannotBe(t *testing.T) {
	for name, test := range map[string]struct {
		among []string
		asked []string // for which languages, one request after the other; empty: it is to be detected
	}{
		"none of them": {[]string{"xx", "en", "fr"}, []string{"", "en"}},
		"one of them":  {[]string{"en", "de"}, []string{""}},
		"any":          {nil, []string{""}},
	} {
		server := &api{t: t, before: func(w http.ResponseWriter, _ *http.Request, q request) bool {
			_, _ = io.WriteString(w, `{"text":"hello","language":"`+append(q.fields["language"], "german")[0]+`"}`)
			return true
		}}
		result, err := recognize(t, serve(t, server, openai.Config{Detects: true}), asr.Params{Languages: test.among})
		if err != nil {
			t.Fatal(err)
		}
		var asked []string
		for _, q := range server.Seen() {
			asked = append(asked, strings.Join(q.fields["language"], "+"))
		}
		if !slices.Equal(asked, test.asked) {
			t.Errorf("%s: asked for %q, want %q", name, asked, test.asked)
		}
		if len(test.among) > 0 && !slices.Contains(test.among, result.Language) {
			t.Errorf("%s: the final is in %q", name, result.Language)
		}
	}
}

// TestLanguageOfResults has a server that detects French whatever it is asked for.
func TestLanguageOfResults(t *testing.T) {
	two := []string{"de", "en"}
	for name, test := range map[string]struct {
		config openai.Config
		params asr.Params
		want   string
	}{
		"asked":          {openai.Config{}, asr.Params{Language: "de"}, "de"},
		"asked, detects": {openai.Config{Detects: true}, asr.Params{Language: "de", Languages: two}, "de"},
		"one candidate":  {openai.Config{Detects: true}, asr.Params{Languages: []string{"de"}}, "de"},
		"several":        {openai.Config{}, asr.Params{Languages: two}, "de"},
		"of several":     {openai.Config{}, asr.Params{Languages: []string{"de", "fr"}}, "fr"},
		"detected":       {openai.Config{Detects: true}, asr.Params{Languages: two}, "de"},
		"any":            {openai.Config{}, asr.Params{}, "fr"},
	} {
		server := &api{t: t, before: func(w http.ResponseWriter, _ *http.Request, _ request) bool {
			_, _ = io.WriteString(w, `{"text":"bonjour","language":"french"}`)
			return true
		}}
		if got, err := recognize(t, serve(t, server, test.config), test.params); err != nil || got.Language !=
			test.want || texts(got.Words) != "bonjour" {
			t.Errorf("%s: %+v, %v; want %s", name, got, err, test.want)
		}
	}
}

func TestModels(t *testing.T) {
	got, err := create(t, openai.Config{URL: "http://x", Name: "w", Languages: []string{"en"},
		Detects: true}).Models(t.Context())
	if want := []asr.Model{{Name: "w", Languages: []string{"en"}, Detects: true}}; err != nil ||
		!reflect.DeepEqual(got, want) {
		t.Errorf("models %+v, %v", got, err)
	}
	got, err = create(t, openai.Config{URL: "http://x"}).Models(t.Context())
	if err != nil || len(got) != 1 || len(got[0].Languages) != 99 || !slices.IsSorted(got[0].Languages) {
		t.Errorf("models %+v, %v", got, err)
	}
}

// TestSpeculation counts what is posted when ends were expected.
func TestSpeculation(t *testing.T) {
	first := make(chan struct{}, 8)
	server := &api{t: t, tell: "words", before: func(_ http.ResponseWriter, _ *http.Request, q request) bool {
		first <- struct{}{}
		return false
	}}
	r := serve(t, server, openai.Config{Speculate: true})
	audio := asrtest.Ramp(2*asr.Rate, 1)
	u := open(t, r, asr.Params{})
	if err := errors.Join(u.Pause(), u.Write(audio[:asr.Rate]), u.Pause(), u.Pause()); err != nil {
		t.Fatal(err)
	}
	<-first
	if err := errors.Join(u.Write(audio[asr.Rate:]), u.Pause()); err != nil {
		t.Fatal(err)
	}
	<-first
	if err := errors.Join(u.Write(nil), u.End()); err != nil {
		t.Fatal(err)
	}
	got, err := u.Recv()
	if err != nil || !reflect.DeepEqual(got.Words, scriptedWords(t, audio)) {
		t.Errorf("final %+v, %v", got, err)
	}
	var lengths []int
	for _, q := range server.Seen() {
		lengths = append(lengths, len(q.samples))
	}
	if !slices.Equal(lengths, []int{asr.Rate, 2 * asr.Rate}) {
		t.Errorf("posted %v samples", lengths)
	}
}

// TestOrder holds the only slot and checks which utterance is next: live speech, in its order, then
// recordings.
func TestOrder(t *testing.T) {
	gate := make(chan struct{})
	server := &api{t: t, tell: "words", before: func(http.ResponseWriter, *http.Request, request) bool {
		<-gate
		return false
	}}
	r := serve(t, server, openai.Config{Concurrency: 1, Queue: 4})
	var all []asr.Stream
	add := func(n int, p asr.Priority) {
		u := open(t, r, asr.Params{Priority: p})
		if err := errors.Join(u.Write(asrtest.Ramp(asr.Rate+n, n)), u.End()); err != nil {
			t.Fatal(err)
		}
		all = append(all, u)
		want := n
		for waiting, free := r.QueueForTest(); waiting != want || free != 0; waiting, free = r.QueueForTest() {
		}
	}
	for n, p := range []asr.Priority{asr.Live, asr.Replay, asr.Live, asr.Replay, asr.Live} {
		add(n, p)
	}
	if _, err := recognize(t, r, asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("one more than may wait: %v", err)
	}
	if u, err := r.Open(t.Context(), asr.Params{}); err != nil {
		t.Errorf("open after that: %v, %v; want an utterance, the server has done nothing wrong", u, err)
	}
	close(gate)
	for _, u := range all {
		if _, err := u.Recv(); err != nil {
			t.Error(err)
		}
	}
	var order []int
	for _, q := range server.Seen() {
		order = append(order, len(q.samples)-asr.Rate)
	}
	if !slices.Equal(order, []int{0, 2, 4, 1, 3}) {
		t.Errorf("order %v", order)
	}
}

// TestWaitersThatLeave has no slot for an utterance that was cancelled.
func TestWaitersThatLeave(t *testing.T) {
	gate := make(chan struct{})
	server := &api{t: t, tell: "words", before: func(http.ResponseWriter, *http.Request, request) bool {
		<-gate
		return false
	}}
	r := serve(t, server, openai.Config{Concurrency: 1})
	first := open(t, r, asr.Params{})
	speak(t, first)
	ctx, cancel := context.WithCancel(t.Context())
	u, err := r.Open(ctx, asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	speak(t, u)
	last := open(t, r, asr.Params{})
	speak(t, last)
	cancel()
	if _, err := u.Recv(); !errors.Is(err, context.Canceled) {
		t.Errorf("recv: %v", err)
	}
	close(gate)
	for _, u := range []asr.Stream{first, last} {
		if _, err := u.Recv(); err != nil {
			t.Error(err)
		}
	}
}

func TestCloseEndsAll(t *testing.T) {
	arrived := make(chan struct{}, 1)
	server := &api{t: t, before: func(_ http.ResponseWriter, r *http.Request, _ request) bool {
		arrived <- struct{}{}
		<-r.Context().Done()
		return true
	}}
	r := serve(t, server, openai.Config{Concurrency: 1})
	var all []asr.Stream
	for range 3 {
		u := open(t, r, asr.Params{})
		speak(t, u)
		all = append(all, u)
	}
	all = append(all, open(t, r, asr.Params{}))
	<-arrived
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
	for _, u := range all {
		if _, err := u.Recv(); !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("recv: %v, want ErrUnavailable", err)
		}
	}
	if _, err := r.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("open: %v, want ErrUnavailable", err)
	}
}

func TestBadConfig(t *testing.T) {
	for want, c := range map[string]openai.Config{
		"url":           {Model: "m", URL: "ftp://x"},
		"HTTP server":   {Model: "m", URL: "http:///v1"},
		"a query":       {Model: "m", URL: "https://x/v1?key=1"},
		"a user":        {Model: "m", URL: "https://me:secret@x/v1"},
		"no model":      {URL: "https://x/v1"},
		"key holds":     {Model: "m", URL: "https://x/v1", Key: "a\nb"},
		`language "xx"`: {Model: "m", URL: "https://x/v1", Languages: []string{"en", "xx"}},
	} {
		if _, err := openai.New(c); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(),
			"secret") {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

// TestDropped has finals without words state why they have none, where that is a decision:
// otherwise it is a failure. Finals with words state nothing.
func TestDropped(t *testing.T) {
	for body, want := range map[string]string{
		`{"text":"[BLANK_AUDIO]"}`:                       "annotation",
		`{"text":"Untertitel im Auftrag des ZDF, 2020"}`: "credit",
		`{"segments":[{"start":0,"end":1,"text":" Hm.","avg_logprob":-2,"no_speech_prob":0.97}]}`: "silence",
		`{"text":""}`:                      "",
		`{"text":" ..."}`:                  "",
		`{"text":"Good morning. (music)"}`: "",
	} {
		server := &api{t: t, before: func(w http.ResponseWriter, _ *http.Request, _ request) bool {
			_, _ = io.WriteString(w, body)
			return true
		}}
		if got, err := recognize(t, serve(t, server, openai.Config{}), asr.Params{}); err != nil || got.Dropped !=
			want {
			t.Errorf("%s: dropped because of %q, %v; want %q", body, got.Dropped, err, want)
		}
	}
}
