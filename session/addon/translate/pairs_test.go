package translate_test

import (
	"context"
	"net/http/httptest"
	"os/exec"
	"reflect"
	"slices"
	"testing"

	"steno/session/addon/translate"
)

// The languages of servers and pairs are reported by the codes of requests.
func TestKnownLanguages(t *testing.T) {
	l := serve(t, &libre{t: t}, translate.LibreConfig{})
	pairs, all := translate.Known(t.Context(), l)
	if want := map[string][]string{"en": {"es", "no", "zh"}, "es": {"en"}, "pt": {"en", "es"}}; all ||
		!reflect.DeepEqual(pairs, want) {
		t.Errorf("server: %v, %v", pairs, all)
	}
	if _, all := translate.Known(t.Context(), translate.LLM(nil)); !all {
		t.Error("a language model does not know all")
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	away, err := translate.NewLibre(translate.LibreConfig{URL: gone.URL, Attempts: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer away.Close()
	if pairs, all := translate.Known(t.Context(), away); pairs != nil || all {
		t.Errorf("server that is away: %v, %v", pairs, all)
	}
}

// Each reported pair can be translated, and a server that hangs reports none.
func TestKnownPairsCanBeTranslated(t *testing.T) {
	if _, err := exec.LookPath("apertium"); err != nil {
		t.Skip("apertium is not installed")
	}
	a := apertium(t, translate.ApertiumConfig{})
	pairs, all := translate.Known(t.Context(), a)
	if all || pairs == nil {
		t.Fatalf("pairs %v, %v", pairs, all)
	}
	if a.Can(t.Context(), "en", "es") == nil != slices.Contains(pairs["en"], "es") {
		t.Errorf("pairs %v", pairs)
	}
	for from, targets := range pairs {
		for _, to := range targets {
			if err := a.Can(t.Context(), from, to); err != nil || from == to || slices.Contains(targets, from) {
				t.Errorf("%s to %s: %v", from, to, err)
			}
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if pairs, _ := translate.Known(ended, serve(t, &libre{t: t}, translate.LibreConfig{})); pairs != nil {
		t.Errorf("in no time: %v", pairs)
	}
}
