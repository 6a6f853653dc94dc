package translate_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/remote"
	"steno/session/addon/translate"
)

// capitals is a translator that turns words into capitals, as change has it.
type capitals struct {
	change func(s string) string // of a whole text; nil: none
	knows  string                // the source language; empty: all
	err    error
	asked  *[]string
}

func (f capitals) Name() string { return "capitals" + f.knows }

func (f capitals) Can(_ context.Context, from, to string) error {
	if f.knows != "" && f.knows != from || to != "xx" {
		return translate.UnknownForTest(from, to)
	}
	return nil
}

func (f capitals) Translate(_ context.Context, texts []string, _, _ string, _ translate.Options) ([]string, error) {
	if f.asked != nil {
		*f.asked = append(*f.asked, texts...)
	}
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = strings.ToUpper(s)
		if f.change != nil {
			out[i] = f.change(out[i])
		}
	}
	return out, f.err
}

func one(text string) []messages.Utterance {
	return []messages.Utterance{{Start: 1, End: 2, Text: " " + text, Language: "en"}}
}

func matching() messages.TranslationConfig {
	return messages.TranslationConfig{MatchOriginalUtterances: true, Context: "c", Informal: true}
}

// TestHidden has translators that keep the signs for what is hidden, and others that do not.
func TestHidden(t *testing.T) {
	translators := map[string]func(s string) string{
		"keeps":      nil,
		"loses":      func(s string) string { return strings.NewReplacer("⟦1⟧", "", "⟦2⟧", "").Replace(s) },
		"doubles":    func(s string) string { return strings.ReplaceAll(s, "⟦1⟧", "⟦1⟧ ⟦1⟧") },
		"invents":    func(s string) string { return s + strings.Repeat(" ⟦3⟧", strings.Count(s, "⟦1⟧")) },
		"translates": func(s string) string { return strings.NewReplacer("⟦", "(", "⟧", ")").Replace(s) },
		"reveals":    func(s string) string { return strings.ReplaceAll(s, "⟦1⟧", "[NAME_9]") },
	}
	for text, want := range map[string]string{
		"write to [EMAIL_ADDRESS_1], now":    "WRITE TO [EMAIL_ADDRESS_1], NOW",
		"[NAME_1] and [NAME_2].":             "[NAME_1] AND [NAME_2].",
		"[NAME_1][NAME_1]":                   "[NAME_1][NAME_1]",
		"call ###-####, or #####@###.### it": "CALL ###-####, or #####@###.### IT",
		"plain [inaudible] text":             "PLAIN [INAUDIBLE] TEXT",
		"has ⟦1⟧ of [its own]":               "HAS ⟦1⟧ OF [ITS OWN]",
		"has ⟦9⟧ and [NAME_1] too":           "HAS ⟦9⟧ AND [NAME_1] TOO",
	} {
		if strings.Contains(text, "###") {
			want = "CALL ###-####, OR #####@###.### IT"
		}
		for name, change := range translators {
			if strings.Contains(text, "⟦") && name != "keeps" {
				continue
			}
			got, err := translate.Utterances(t.Context(), capitals{change: change}, one(text), "xx", matching())
			if err != nil || len(got) != 1 || got[0].Text != " "+want {
				t.Errorf("%s %q: %+v, %v; want %q", name, text, got, err, want)
			}
		}
	}
}

// TestHiddenStaysHere shows no marker to the translator.
func TestHiddenStaysHere(t *testing.T) {
	var asked []string
	lossy := capitals{asked: &asked, change: func(s string) string { return strings.ReplaceAll(s, "⟦1⟧", "") }}
	if _, err := translate.Utterances(t.Context(), lossy, one("hi [NAME_1] or ###"), "xx", matching()); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(asked, "|"); strings.Contains(all, "NAME") || strings.Contains(all, "#") || len(asked) < 2 {
		t.Errorf("asked %q", asked)
	}
}

// TestWrongCount refuses a translator that has another number of texts.
func TestWrongCount(t *testing.T) {
	for _, text := range []string{"hello", "has ⟦1⟧ and [NAME_1]"} {
		_, err := translate.Utterances(t.Context(), short{}, one(text), "xx", matching())
		if told := remote.Addon(err); told == nil || told.StatusCode != 502 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

type short struct{ capitals }

func (short) Translate(context.Context, []string, string, string, translate.Options) ([]string, error) {
	return nil, nil
}

func TestFirst(t *testing.T) {
	var asked []string
	fails := capitals{knows: "en", err: remote.NewError(502, "Broken", "It broke", nil)}
	french, english := capitals{knows: "fr", asked: &asked}, capitals{knows: "en"}
	out, err := translate.First(french, fails, english).Translate(t.Context(), []string{"a"}, "en", "xx",
		translate.Options{})
	if err != nil || len(out) != 1 || out[0] != "A" || asked != nil {
		t.Errorf("%q, %v; asked %q of the wrong one", out, err, asked)
	}
	if _, err = translate.First(fails, french).Translate(t.Context(), []string{"a"}, "en", "xx",
		translate.Options{}); remote.Addon(err).Exception != "Broken" {
		t.Errorf("all fail: %v", err)
	}
	none := translate.First(french)
	if _, err = none.Translate(t.Context(), []string{"a"}, "en", "xx",
		translate.Options{}); remote.Addon(err).StatusCode != 422 || none.Can(t.Context(), "en", "xx") == nil {
		t.Errorf("none can: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = translate.First(capitals{err: context.Canceled}, capitals{}).Translate(cancelled, []string{"a"}, "en",
		"xx", translate.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if name := translate.First(french, english).Name(); name != "capitalsfr, capitalsen" {
		t.Errorf("named %q", name)
	}
}
