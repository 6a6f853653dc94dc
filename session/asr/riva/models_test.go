package riva_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/riva/wire"
)

// lists answers with a list of models; it is an engine process of ours if it has an engine's name.
type lists struct {
	rivapb.UnimplementedRivaSpeechRecognitionServer
	engine  string
	entries []*rivapb.RivaSpeechRecognitionConfigResponse_Config
}

func (l *lists) GetRivaSpeechRecognitionConfig(ctx context.Context,
	_ *rivapb.RivaSpeechRecognitionConfigRequest) (*rivapb.RivaSpeechRecognitionConfigResponse, error) {
	if l.engine != "" {
		if err := grpc.SetHeader(ctx, metadata.Pairs(wire.EngineKey, l.engine)); err != nil {
			return nil, err
		}
	}
	return &rivapb.RivaSpeechRecognitionConfigResponse{ModelConfig: l.entries}, nil
}

func entry(name string, parameters ...string) *rivapb.RivaSpeechRecognitionConfigResponse_Config {
	e := &rivapb.RivaSpeechRecognitionConfigResponse_Config{ModelName: name, Parameters: map[string]string{}}
	for pair := range slices.Chunk(parameters, 2) {
		e.Parameters[pair[0]] = pair[1]
	}
	return e
}

func TestModels(t *testing.T) {
	long := string(slices.Repeat([]byte("x"), 300))
	for name, test := range map[string]struct {
		server lists
		config riva.Config
		want   []asr.Model
	}{
		"ours": {lists{engine: "whisper", entries: []*rivapb.RivaSpeechRecognitionConfigResponse_Config{
			entry("turbo", "language_code", "fil-PH", "steno_code", "tl", "type", "offline", "steno_detects", "true"),
			entry("zip", "language_code", "en-US", "type", "online"),
			entry("turbo", "language_code", "en-US", "type", "offline", "steno_detects", "true"),
			entry("turbo", "language_code", "en-US", "type", "offline"),
		}}, riva.Config{}, []asr.Model{
			{Name: "turbo", Languages: []string{"tl", "en"}, Detects: true}, {Name: "zip", Languages: []string{"en"},
				Partials: true},
		}},
		"stock": {lists{entries: []*rivapb.RivaSpeechRecognitionConfigResponse_Config{
			entry("parakeet-1.1b-en-US-asr-streaming", "language_code", "en-US", "type", "online", "steno_detects",
				"x"),
			entry("parakeet-1.1b-en-US-asr-offline", "language_code", "en-US", "type", "offline"),
			entry("parakeet-multi", "language_code", "en-US, es-US,tlh,fr-FR", "type", "online"),
			entry("nobody", "language_code", "tlh", "type", "online"), entry(long, "language_code", "en-US"), {},
		}}, riva.Config{}, []asr.Model{
			{Name: "parakeet-1.1b-en-US-asr-streaming", Languages: []string{"en"}, Partials: true},
			{Name: "parakeet-multi", Languages: []string{"en", "es", "fr"}, Partials: true},
		}},
		"detecting": {lists{entries: []*rivapb.RivaSpeechRecognitionConfigResponse_Config{
			entry("a", "language_code", "multi", "type", "online"), entry("b", "language_code", "de-DE"),
		}}, riva.Config{Auto: "multi"}, []asr.Model{
			{Name: "a", Detects: true, Partials: true}, {Name: "b", Languages: []string{"de"}, Partials: true},
		}},
		"named": {lists{entries: []*rivapb.RivaSpeechRecognitionConfigResponse_Config{
			entry("a", "language_code", "en-US"), entry("b", "language_code", "en-US"),
		}}, riva.Config{Model: "b"}, []asr.Model{{Name: "b", Languages: []string{"en"}, Partials: true}}},
	} {
		got, err := serve(t, &test.server, nil, test.config).Models(t.Context())
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, test.want)
		}
	}
	if _, err := dial(t, &stock{}, riva.Config{}).Models(t.Context()); !errors.Is(err, errors.ErrUnsupported) ||
		errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("a server without a list: %v", err)
	}
}

func TestModelsAreBounded(t *testing.T) {
	server := lists{engine: "x"}
	for n := range 3000 {
		server.entries = append(server.entries, entry(string(rune('a'+n%26))+string(rune(0x4e00+n)), "steno_code",
			"en"))
	}
	got, err := serve(t, &server, nil, riva.Config{}).Models(t.Context())
	if err != nil || len(got) == 0 || len(got) > 1024 {
		t.Errorf("%d models, %v", len(got), err)
	}
}

func TestLanguageOfStockServers(t *testing.T) {
	for name, test := range map[string]struct {
		config riva.Config
		params asr.Params
		tag    string
		says   string // the result's language
	}{
		"nothing known": {riva.Config{}, asr.Params{}, "en-US", "en"},
		"default":       {riva.Config{Language: "de"}, asr.Params{}, "de-DE", "de"},
		"asked": {riva.Config{Language: "de", Auto: "multi"}, asr.Params{Language: "fr",
			Languages: []string{"en"}}, "fr-FR", "fr"},
		"first":           {riva.Config{Language: "de"}, asr.Params{Languages: []string{"fr", "en"}}, "fr-FR", "fr"},
		"default of many": {riva.Config{Language: "de"}, asr.Params{Languages: []string{"fr", "de"}}, "de-DE", "de"},
		"to be found": {riva.Config{Language: "de", Auto: "multi"}, asr.Params{Languages: []string{"fr", "de"}},
			"multi", ""},
		"all to be found": {riva.Config{Auto: "multi"}, asr.Params{}, "multi", ""},
		"only one":        {riva.Config{Auto: "multi"}, asr.Params{Languages: []string{"haw"}}, "haw-US", "haw"},
	} {
		s := &stock{}
		got, err := recognize(t, dial(t, s, test.config), test.params)
		if err != nil {
			t.Fatal(err)
		}
		s.mu.Lock()
		if c := s.request.Config; c.LanguageCode != test.tag || len(c.CustomConfiguration) > 0 || got[0].Language !=
			test.says {
			t.Errorf("%s: asked for %v, result %+v", name, c, got)
		}
		s.mu.Unlock()
	}
}

// TestLanguageOfResults has a server that detects French whatever it is asked for.
func TestLanguageOfResults(t *testing.T) {
	french := answer(true, "bonjour")
	french.Results[0].Alternatives[0].LanguageCode = []string{"fr-FR"}
	for name, test := range map[string]struct {
		params asr.Params
		want   string
	}{
		"asked":        {asr.Params{Language: "de"}, "de"},
		"several":      {asr.Params{Languages: []string{"de", "fr"}}, "fr"},
		"several else": {asr.Params{Languages: []string{"de", "en"}}, ""},
		"one else":     {asr.Params{Languages: []string{"de"}}, "de"},
		"any":          {asr.Params{}, "fr"},
	} {
		got, err := recognize(t, dial(t, &stock{late: []*rivapb.StreamingRecognizeResponse{french}},
			riva.Config{Auto: "multi"}), test.params)
		if err != nil || len(got) == 0 || got[len(got)-1].Language != test.want {
			t.Errorf("%s: %+v, %v; want %s", name, got, err, test.want)
		}
	}
}
