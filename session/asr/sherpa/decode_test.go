package sherpa

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
	"steno/session/asr/whole"
)

// echo is a library whose results describe its input.
type echo struct {
	hears  string // the language it detects
	err    error
	asked  []string // languages
	length int      // of the newest audio
}

// Decode implements offline.
func (e *echo) Decode(samples []float32, language, _ string) (hypothesis, error) {
	e.asked, e.length = append(e.asked, language), len(samples)
	h := hypothesis{text: " one two", tokens: []string{" one", " two"}, starts: []float32{0.25, 0.5}, language: e.hears}
	if language == "xx" {
		h.starts = nil
	}
	return h, e.err
}

// Free implements offline.
func (e *echo) Free() {}

func echoing(e *echo, kind folder.Kind, languages ...string) decoder {
	spec := folder.Model{Kind: kind, Languages: languages}
	spec.Can.TakeLanguage = true
	return decoder{&model{engine: "sherpa/echo", offline: e, spec: spec}}
}

// decodePieces decodes an utterance in pieces that end at the given samples.
func decodePieces(t *testing.T, d decoder, p asr.Params, ends ...int) asr.Result {
	t.Helper()
	var all []any
	from := 0
	for _, end := range ends {
		o, err := d.Decode(whole.Piece{Samples: make([]int16, end), From: from, To: end, Before: all, Params: p})
		if err != nil {
			t.Fatal(err)
		}
		all, from = append(all, o), end
	}
	return d.Result(p, all)
}

func TestPieces(t *testing.T) {
	e := &echo{}
	d := echoing(e, folder.OfflineWhisper, "en", "xx")
	got := decodePieces(t, d, asr.Params{Language: "en"}, 2*asr.Rate, 2*asr.Rate+100)
	if want := []string{"one", "two", "one", "two"}; !slices.Equal(texts(got.Words), want) || !got.Timed ||
		got.Language != "en" || got.Engine != "sherpa/echo" {
		t.Errorf("%+v, want %q", got, want)
	}
	if w := got.Words[2]; w.Start != 2*asr.Rate+100 || w.End != 2*asr.Rate+100 || got.Words[1].Start != asr.Rate/2 {
		t.Errorf("times %+v", got.Words)
	}
	if e.length != shortest {
		t.Errorf("%d samples decoded of a short piece", e.length)
	}
	timed, _ := d.Decode(whole.Piece{Samples: make([]int16, asr.Rate), To: asr.Rate,
		Params: asr.Params{Language: "en"}})
	untimed, _ := d.Decode(whole.Piece{Samples: make([]int16, asr.Rate), To: asr.Rate,
		Params: asr.Params{Language: "xx"}})
	if got := d.Result(asr.Params{}, []any{timed, outcome{}, untimed}); got.Timed || len(got.Words) != 4 ||
		got.Words[1].Start != 0 {
		t.Errorf("with a piece without times: %+v", got)
	}
	if got := d.Result(asr.Params{}, nil); got.Timed || len(got.Words) > 0 || got.Language != "en" {
		t.Errorf("of no piece: %+v", got)
	}
}

// TestLanguageOfPieces expects the first piece to decide the language, and one that cannot be to be
// replaced.
func TestLanguageOfPieces(t *testing.T) {
	for _, test := range []struct {
		kind   folder.Kind
		params asr.Params
		asked  []string
		want   string
	}{
		{folder.OfflineWhisper, asr.Params{}, []string{"", "fr"}, "fr"},
		{folder.OfflineWhisper, asr.Params{Language: "en"}, []string{"en", "en"}, "en"},
		{folder.OfflineWhisper, asr.Params{Languages: []string{"en", "fr"}}, []string{"", "fr"}, "fr"},
		{folder.OfflineWhisper, asr.Params{Languages: []string{"de", "en"}}, []string{"", "en", "en"}, "en"},
		{folder.OfflineSenseVoice, asr.Params{Languages: []string{"de", "en"}}, []string{"", ""}, "en"},
	} {
		e := &echo{hears: "fr"}
		got := decodePieces(t, echoing(e, test.kind, "en", "fr"), test.params, asr.Rate, 2*asr.Rate)
		if got.Language != test.want || !slices.Equal(e.asked, test.asked) {
			t.Errorf("%s, %+v: %q after asking for %q", test.kind, test.params, got.Language, e.asked)
		}
	}
}

// TestDecodeFails expects an error for which others are asked, of finals and partials.
func TestDecodeFails(t *testing.T) {
	errThrown := errors.New("exception")
	d := echoing(&echo{err: errThrown}, folder.OfflineWhisper, "en")
	piece := whole.Piece{Samples: make([]int16, asr.Rate), To: asr.Rate}
	_, final := d.Decode(piece)
	_, _, partial := d.Partial(piece, nil)
	for _, err := range []error{final, partial, d.m.try()} {
		if !errors.Is(err, asr.ErrUnavailable) || !errors.Is(err, errThrown) {
			t.Errorf("%v, want ErrUnavailable", err)
		}
	}
}

// TestPartialsOfPieces expects times from partials for as long as all decodes return them.
func TestPartialsOfPieces(t *testing.T) {
	d := echoing(&echo{}, folder.OfflineWhisper, "en")
	var after any
	for i, language := range []string{"en", "en", "xx", "en"} {
		var out any
		var err error
		out, after, err = d.Partial(whole.Piece{Samples: make([]int16, asr.Rate), To: asr.Rate,
			Params: asr.Params{Language: language}}, after)
		r := d.Result(asr.Params{}, []any{out})
		want := []string{"one", "two"}[:min(i+1, 2)]
		if err != nil || !reflect.DeepEqual(texts(r.Words), want) || r.Timed != (i < 2) {
			t.Errorf("partial %d: %+v, %v", i, r, err)
		}
	}
}
