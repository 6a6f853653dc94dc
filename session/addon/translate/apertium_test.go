package translate_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
	"steno/session/addon/translate"
)

func apertium(t *testing.T, c translate.ApertiumConfig) *translate.Apertium {
	t.Helper()
	a, err := translate.NewApertium(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// TestApertium translates with the real program, from English to Spanish.
func TestApertium(t *testing.T) {
	if _, err := exec.LookPath("apertium"); err != nil {
		t.Skip("apertium is not installed")
	}
	a := apertium(t, translate.ApertiumConfig{})
	if a.Can(t.Context(), "en", "es") != nil {
		t.Skip("apertium-eng-spa is not installed")
	}
	for _, pair := range [][2]string{{"en", "ja"}, {"", "es"}, {"en", "en"}} {
		if a.Can(t.Context(), pair[0], pair[1]) == nil {
			t.Errorf("knows too much: %q", pair)
		}
	}
	tests := []struct{ text, want string }{
		{"The house is red.", "La casa es roja."},
		{"the red house", "la casa roja"},
		{"I write to [EMAIL_ADDRESS_1].", "[EMAIL_ADDRESS_1]"},
		{"The #### is red", "####"},
		{"The xyzzyx is red", "xyzzyx"},
		{"the *red house*", "casa"},
		{"a ^b/c<n>$ {d} \\ [ ] <b>e</b> @", "<n>"},
		{"$(id); `id` | rm -rf /", "$(id)"},
		{"one\ntwo\x00three", "dos"},
		{"-l", "-l"},
		{"You know...", "..."},
		{"will", "will"}, // nothing comes of that
		{"", ""},
		{"the garden", "el jardín"},
		{"Yesterday I met Mr. Green and Rose Baker.", "Green y Rose Baker"},
		{"My name is Grace Hill and I work for Apple.", "Grace Hill"},
		{"We live in Bath with Peter Stone's sister.", "Peter Stone"},
		{"He said that May Cook is in Reading.", "May Cook"},
		{"We meet on Monday in Germany.", "Alemania"},
		{"We meet on Monday in Germany.", "lunes"},
		{"I speak Spanish and English.", "inglés"},
		{"Then Will Young called [NAME_1] about the Red Lion.", "Will Young"},
		{"The Whites' house is white.", "blanca"},
	}
	var us []messages.Utterance
	for _, test := range tests {
		us = append(us, one(test.text)...)
	}
	translated, err := translate.Utterances(t.Context(), a, us, "es", matching())
	if err != nil || len(translated) != len(tests) {
		t.Fatalf("%+v, %v", translated, err)
	}
	for i, test := range tests {
		if got := translated[i].Text; !strings.Contains(got, test.want) || strings.Contains(got, "*x") {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
	c := matching()
	c.MatchOriginalUtterances = false
	got, err := translate.Utterances(t.Context(), a, []messages.Utterance{said(0, 1, 2, " The house", "en"),
		said(0, 2, 3, " is red. The garden is green.", "en")}, "es", c)
	if err != nil || len(got) != 2 || got[0].Text != " La casa es roja." || got[1].Text != " El jardín es verde." {
		t.Errorf("%+v, %v", got, err)
	}
}

// program writes a script that takes apertium's place. It lists the pair of English and Spanish.
func program(t *testing.T, translates string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "apertium")
	script := "#!/bin/bash\nif [ \"$1\" = -l ]; then echo '  eng-spa'; echo '  ../../x'; echo 'eco-fr-es'; exit; fi\n" + translates + "\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBadPrograms has ones that do not do as apertium does.
func TestBadPrograms(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		status int
	}{
		"fails":            {"echo amber >&2; exit 1", 502},
		"too many lines":   {"cat; echo amber", 502},
		"one line too few": {"head -n 1; echo -n amber", 502},
		"nothing":          {"", 502},
		"empty lines":      {"echo; echo", 502},
		"an empty line":    {"echo amber; echo .", 502},
		"cut short":        {"echo amber; echo a", 502},
		"endless":          {"yes", 502},
		"no text":          {`printf '\xff\n\xff\n'`, 502},
		"hangs":            {"sleep 1000 | cat", 504},
		"writes files":     {"yes amber | head -c 1000 > file || exit 1; cat", 502},
	} {
		a := apertium(t, translate.ApertiumConfig{Program: program(t, test.script), Timeout: time.Second})
		us := append(one("my amber"), one("is here, in a box"+strings.Repeat(", of amber", 20))...)
		_, err := translate.Utterances(t.Context(), a, us, "es", matching())
		if told := remote.Addon(err); told == nil || told.StatusCode != test.status {
			t.Errorf("%s: %+v, want %d", name, told, test.status)
		} else if strings.Contains(fmt.Sprint(err, told), "amber") {
			t.Errorf("%s: the error tells too much: %v", name, err)
		}
	}
}

// TestLinesOnTheirOwn has programs that fail for a line, or lose all but the first: that costs the
// others nothing.
func TestLinesOnTheirOwn(t *testing.T) {
	texts := []string{"one", "two", "poison", "", "four", "five"}
	for name, test := range map[string]struct {
		script  string
		missing bool
	}{
		"loses lines": {"head -n 1", false},
		"fails":       {"all=$(cat); case \"$all\" in *poison*) exit 1;; esac; echo \"$all\"", true},
	} {
		a := apertium(t, translate.ApertiumConfig{Program: program(t, test.script)})
		out, err := a.Translate(t.Context(), texts, "en", "es", translate.Options{})
		want := slices.Clone(texts)
		if test.missing {
			want[2] = ""
		}
		if !slices.Equal(out, want) || (err != nil) != test.missing {
			t.Errorf("%s: %q, %v", name, out, err)
		}
	}
}

// TestMarks takes away those of words that apertium does not know, and leaves those the speaker
// has.
func TestMarks(t *testing.T) {
	a := apertium(t, translate.ApertiumConfig{Program: program(t,
		"cat > /dev/null; echo '*zoob #de la @casa 3*4'; echo '*uno #dos'")})
	out, err := a.Translate(t.Context(), []string{"zoob of the house 3 4", "*one two"}, "en", "es", translate.Options{})
	if err != nil || out[0] != "zoob de la casa 3*4" || out[1] != "*uno dos" {
		t.Errorf("%q, %v", out, err)
	}
}

// TestProgramIsAlone holds what a program sees of its surroundings, and that nothing stays of it.
func TestProgramIsAlone(t *testing.T) {
	t.Setenv("SECRET", "amber")
	t.Setenv("TMPDIR", t.TempDir())
	a := apertium(t, translate.ApertiumConfig{Program: program(t,
		`[ "$*" = "-u -f line eng-spa" ] || exit 1; mktemp "$TMPDIR/x.XXXX" > /dev/null; while read -r line; do echo "$line $SECRET$(ulimit -c)"; done`)})
	out, err := a.Translate(t.Context(), []string{"", "a"}, "en", "es", translate.Options{})
	if err != nil || len(out) != 2 || out[0] != "" || out[1] != "a 0" {
		t.Errorf("%q, %v", out, err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// TestProgramEnds ends what is under way, where the caller goes or the translator is closed.
func TestProgramEnds(t *testing.T) {
	started := filepath.Join(t.TempDir(), "started")
	a := apertium(t, translate.ApertiumConfig{Program: program(t, "ln -s x "+started+"; sleep 1000 | cat"),
		Concurrency: 1})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	run := func(ctx context.Context) chan error {
		done := make(chan error, 1)
		go func() {
			_, err := a.Translate(ctx, []string{"a"}, "en", "es", translate.Options{})
			done <- err
		}()
		for { // the process creates a file when it runs
			if _, err := os.Lstat(started); err == nil {
				_ = os.Remove(started)
				return done
			}
			time.Sleep(time.Millisecond)
		}
	}
	first := run(ctx)
	cancel()
	if err := <-first; err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	second := run(t.Context())
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if told := remote.Addon(<-second); told == nil || told.StatusCode != 503 {
		t.Errorf("closed: %+v", told)
	}
	_, err := a.Translate(t.Context(), []string{"a"}, "en", "es", translate.Options{})
	if told := remote.Addon(err); told == nil || told.StatusCode != 503 {
		t.Errorf("after it: %+v", told)
	}
}

func TestApertiumMissing(t *testing.T) {
	_, err := translate.NewApertium(t.Context(), translate.ApertiumConfig{Program: "/nonexistent/apertium"})
	if err == nil || !strings.Contains(err.Error(), `install the package "apertium"`) {
		t.Errorf("%v", err)
	}
}
