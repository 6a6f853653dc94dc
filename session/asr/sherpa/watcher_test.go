package sherpa

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/session/asr"
	"steno/session/asr/sherpa/internal/fakemodels"
	"steno/session/asr/sherpa/internal/onnxwriter"
)

// soon waits until something that another goroutine does has come about.
func soon(t *testing.T, what string, so func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for !so() {
		select {
		case <-time.After(2 * time.Millisecond):
		case <-deadline:
			t.Fatalf("not %s after 20 s", what)
		}
	}
}

func names(t *testing.T, r *Recognizer) string {
	t.Helper()
	models, err := r.Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range models {
		out = append(out, m.Name)
	}
	return strings.Join(out, " ")
}

// serving returns the preferred model.
func serving(r *Recognizer) *model {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.serving[0]
}

func TestEmptyFolder(t *testing.T) {
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		r := open(t, Config{Dir: dir})
		for _, p := range []asr.Params{{}, {Language: "en"}, {Languages: []string{"en", "fr"}}} {
			if _, err := r.Open(t.Context(), p); !errors.Is(err, asr.ErrLanguage) {
				t.Errorf("%+v: %v, want ErrLanguage", p, err)
			}
		}
		if got := names(t, r); got != "" {
			t.Errorf("models %s", got)
		}
	}
}

// TestPickup has models come, be replaced and go while utterances are open.
func TestPickup(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later")
	r := open(t, Config{Dir: dir, Rescan: 2 * time.Millisecond})
	install(t, dir, wholeCTC)
	soon(t, "taken in", func() bool { return names(t, r) == wholeCTC })

	samples, _ := fakemodels.English().Speak("alpha", "bravo")
	u, err := r.Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Write(samples); err != nil {
		t.Fatal(err)
	}
	first := serving(r)
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(filepath.Join(dir, wholeCTC, "tokens.txt"), later, later); err != nil {
		t.Fatal(err)
	}
	soon(t, "replaced", func() bool { return serving(r) != first })
	if _, final := decode(t, r, asr.Params{}, samples); len(final.Words) != 2 {
		t.Errorf("final of a model that was replaced: %+v", final)
	}
	install(t, dir, wholeFrench)
	soon(t, "joined by another", func() bool { return names(t, r) == wholeCTC+" "+wholeFrench })
	uninstall(t, dir, wholeCTC)
	soon(t, "let go of", func() bool { return names(t, r) == wholeFrench })
	if _, err := r.Open(t.Context(), asr.Params{Language: "en"}); !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("the language of a removed model: %v", err)
	}
	if n := r.Figures().Open; n != 1 {
		t.Errorf("%d utterances open, want that of the removed model", n)
	}
	if err := u.End(); err != nil {
		t.Fatal(err)
	}
	if final := finalOf(t, u); len(final.Words) != 2 || final.Engine != "sherpa/"+wholeCTC {
		t.Errorf("final of a removed model: %+v", final)
	}
	soon(t, "freed", func() bool { r.mu.Lock(); defer r.mu.Unlock(); return len(r.retired) == 0 })

	install(t, dir, wholeCTC)
	soon(t, "back", func() bool { return names(t, r) == wholeCTC+" "+wholeFrench })
	if _, final := decode(t, r, asr.Params{}, samples); len(final.Words) != 2 {
		t.Errorf("final of a model that is back: %+v", final)
	}
}

// TestUnfinished skips folders that are being installed, and reports bad ones once until they
// change.
func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	told := make(chan string, 100)
	install(t, dir, wholeCTC)
	if err := os.Rename(filepath.Join(dir, wholeCTC), filepath.Join(dir, ".hidden")); err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(dir, "bad-en")
	if err := errors.Join(os.Mkdir(bad, 0o755), os.WriteFile(filepath.Join(bad, "model.onnx"), []byte("?"),
		0o644)); err != nil {
		t.Fatal(err)
	}
	r := open(t, Config{Dir: dir, Rescan: 2 * time.Millisecond, OnProblem: func(folder string,
		_ error) {
		told <- folder
	}})
	if got := <-told; got != bad || names(t, r) != "" {
		t.Errorf("a problem with %s, models %s", got, names(t, r))
	}
	if p := r.Problems(); len(p) != 1 || p[bad] == nil || r.Figures().Problems != 1 {
		t.Errorf("problems %v", p)
	}
	for range 10 { // scans of a folder whose fault was reported
		k := len(told)
		install(t, dir, wholeFrench)
		soon(t, "taken in", func() bool { return names(t, r) == wholeFrench })
		uninstall(t, dir, wholeFrench)
		soon(t, "let go of", func() bool { return names(t, r) == "" })
		if len(told) != k {
			t.Fatalf("told again of %s", <-told)
		}
	}
	uninstall(t, dir, filepath.Base(bad))
	soon(t, "solved", func() bool { return len(r.Problems()) == 0 })
}

func TestOrderAndChoiceOfModels(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, wholeCTC, wholeTransducer, streamCTC)
	problems := map[string]error{}
	r := open(t, Config{
		Dir: dir, Models: []string{wholeTransducer, wholeCTC, "absent"},
		OnProblem: func(folder string, err error) { problems[filepath.Base(folder)] = err },
	})
	if got := names(t, r); got != wholeTransducer+" "+wholeCTC {
		t.Errorf("models %s", got)
	}
	if len(problems) != 1 || problems["absent"] == nil {
		t.Errorf("problems %v", problems)
	}
}

// TestHostile puts into models' folders what people and attackers put there.
func TestHostile(t *testing.T) {
	dir := t.TempDir()
	cases := map[string]func(dir string) error{
		"truncated-en": func(dir string) error { return os.Truncate(filepath.Join(dir, "model.onnx"), 1000) },
		"empty-en":     func(dir string) error { return os.Truncate(filepath.Join(dir, "model.onnx"), 0) },
		"no-tokens-en": func(dir string) error { return os.Remove(filepath.Join(dir, "tokens.txt")) },
		"no-model-en":  func(dir string) error { return os.Remove(filepath.Join(dir, "model.onnx")) },
		"not-a-model-en": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "model.onnx"), []byte(strings.Repeat("GIF89a", 1000)), 0o644)
		},
		"no-metadata-en": func(dir string) error {
			return onnxwriter.Model{Graph: onnxwriter.NewGraph("bare"), Opset: 17}.WriteFile(filepath.Join(dir,
				"model.onnx"))
		},
		"folder-en": func(dir string) error {
			model := filepath.Join(dir, "model.onnx")
			return errors.Join(os.Remove(model), os.Mkdir(model, 0o755))
		},
		"outside-en": func(dir string) error {
			model := filepath.Join(dir, "model.onnx")
			return errors.Join(os.Remove(model), os.Symlink("/dev/zero", model))
		},
		"other-tokens-en": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "tokens.txt"), []byte("a 0\n"), 0o644)
		},
	}
	for name, spoil := range cases {
		install(t, dir, wholeCTC)
		spoiled := filepath.Join(dir, name)
		if err := errors.Join(os.Rename(filepath.Join(dir, wholeCTC), spoiled), spoil(spoiled)); err != nil {
			t.Fatal(err)
		}
	}
	install(t, dir, wholeCTC)
	problems := map[string]error{}
	r := open(t, Config{Dir: dir, OnProblem: func(folder string, err error) { problems[filepath.Base(folder)] = err }})
	for name := range cases {
		if problems[name] == nil || !strings.Contains(problems[name].Error(), name) {
			t.Errorf("%s: %v", name, problems[name])
		}
	}
	if got := names(t, r); got != wholeCTC {
		t.Errorf("models %s", got)
	}
}

// TestProbe expects each model to be tried before it is loaded, and once only.
func TestProbe(t *testing.T) {
	dir := t.TempDir()
	install(t, dir, wholeCTC, streamCTC)
	var tried []string
	errBad := errors.New("it ended the process")
	c := Config{
		Dir: dir, OnProblem: func(string, error) {},
		Probe: func(ctx context.Context, dirs ...string) error {
			tried = append(tried, filepath.Base(dirs[0]))
			if filepath.Base(dirs[0]) == streamCTC {
				return errBad
			}
			return Probe(ctx, dirs...)
		},
	}
	for _, want := range []string{streamCTC + " " + wholeCTC, streamCTC} {
		tried = nil
		r := open(t, c)
		if got := names(t, r); got != wholeCTC {
			t.Errorf("models %s", got)
		}
		if err := r.Problems()[filepath.Join(dir, streamCTC)]; !errors.Is(err, errBad) {
			t.Errorf("problem %v", err)
		}
		if slices.Sort(tried); strings.Join(tried, " ") != want {
			t.Errorf("tried %q, want %s", tried, want)
		}
	}
	now := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, wholeCTC, "tokens.txt"), now, now); err != nil {
		t.Fatal(err)
	}
	tried = nil
	open(t, c)
	if !slices.Contains(tried, wholeCTC) {
		t.Error("a folder that changed was not tried again")
	}
}
