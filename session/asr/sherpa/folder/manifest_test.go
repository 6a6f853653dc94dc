package folder

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steno/session/asr/models"
)

// manifest writes a model.json that names files of dir.
func manifest(t *testing.T, dir string, m models.Manifest, names ...string) {
	t.Helper()
	for _, name := range names {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		sum, size, err := digest(f)
		if err != nil || f.Close() != nil {
			t.Fatal(err)
		}
		m.Files = append(m.Files, models.File{Name: name, Size: size, SHA256: sum})
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, models.ManifestName), string(text))
}

func TestManifest(t *testing.T) {
	whisper := recognizers()[12].fixture // with files of both precisions
	files := []string{"tiny.en-encoder.onnx", "tiny.en-decoder.onnx", "tiny.en-tokens.txt", "empty.txt"}
	whisper.texts["empty.txt"] = ""
	whisper.models["tiny.en-encoder.onnx"] = whisper.models["tiny.en-encoder.int8.onnx"]

	dir := whisper.write(t, nil)
	manifest(t, dir, models.Manifest{Name: "small", Languages: []string{"de", "fr"}, Kind: models.OfflineWhisper},
		files...)
	got, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "small" || !slices.Equal(got.Languages, []string{"de", "fr"}) {
		t.Errorf("got %s of %v", got.Name, got.Languages)
	}
	if filepath.Base(got.Files.Encoder) != files[0] || filepath.Base(got.Files.Decoder) != files[1] {
		t.Errorf("got files that the manifest does not name: %+v", got.Files)
	}
	if err := got.Verify(); err != nil {
		t.Error(err)
	}
	change(t, got.Files.Encoder)
	if err := got.Verify(); err == nil || !strings.Contains(err.Error(), files[0]+": its SHA-256") {
		t.Errorf("a changed file: %v", err)
	}
	put(t, got.Files.Tokens, tokens(21))
	if err := got.Verify(); err == nil || !strings.Contains(err.Error(), files[2]+": ") ||
		!strings.Contains(err.Error(), files[0]) {
		t.Errorf("two changed files: %v", err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), files[2]) || !strings.Contains(err.Error(),
		"the manifest says") {
		t.Errorf("a file of another size: %v", err)
	}
	if err := os.Remove(got.Files.Decoder); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), files[1]+": no such file") {
		t.Errorf("a missing file: %v", err)
	}
}

// change alters the last byte of a file.
func change(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 1
	put(t, path, string(data))
}

func TestManifestFaults(t *testing.T) {
	for text, says := range map[string]string{
		`{"name":"m","languages":["xx"]}`:                    `model.json: languages: "xx" is no code of the API`,
		`{"name":"m","kind":"offline-unheard-of"}`:           `kind: "offline-unheard-of" is unknown`,
		`{"name":"m","kind":"offline-whisper"}`:              "not a model of the kind",
		`{"name":"m","files":[{"name":"../../etc/passwd"}]}`: "../../etc/passwd",
		`{`: "model.json",
	} {
		dir := recognizers()[9].write(t, nil)
		put(t, filepath.Join(dir, models.ManifestName), text)
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want it to say %q", text, err, says)
		}
	}
}

func TestDiarizationHeedsTheManifest(t *testing.T) {
	both := capabilityExamples()[5]
	dir := both.write(t, nil)
	manifest(t, dir, models.Manifest{Name: "speakers"}, "segmentation.onnx", "voices.onnx")
	got, err := Read(dir)
	if err != nil || got.Kind != Diarization || filepath.Base(got.Files.Embedding) != "voices.onnx" {
		t.Errorf("got %+v, %v", got, err)
	}
	change(t, filepath.Join(dir, "voices.onnx"))
	manifest(t, dir, models.Manifest{Name: "speakers", Files: []models.File{{
		Name: "voices.onnx", Size: 1, SHA256: strings.Repeat("0", 64),
	}}}, "segmentation.onnx")
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "voices.onnx: ") ||
		!strings.Contains(err.Error(), "manifest says 1") {
		t.Errorf("a file of another size: %v", err)
	}
}

func TestWithoutAManifestNothingIsVerified(t *testing.T) {
	got, err := Read(recognizers()[9].write(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Verify(); err != nil {
		t.Error(err)
	}
}

// TestKindsOfManifests checks that the catalogue's kinds are known here by the same names.
func TestKindsOfManifests(t *testing.T) {
	known := map[Kind]bool{}
	for _, s := range kinds() {
		known[s.kind] = true
	}
	for _, k := range []models.Kind{
		models.OnlineTransducer, models.OnlineParaformer, models.OnlineZipformer2, models.OnlineNeMoCTC,
		models.OnlineToneCTC,
		models.OfflineTransducer, models.OfflineNeMoTransducer, models.OfflineNeMoCTC, models.OfflineZipformerCTC,
		models.OfflineParaformer, models.OfflineWhisper, models.OfflineSenseVoice, models.OfflineMoonshine,
		models.OfflineCanary,
		models.OfflineOmnilingualCTC, models.Punctuation, models.OnlinePunctuation, models.Segmentation,
		models.Embedding,
		models.Denoiser,
	} {
		if !known[Kind(k)] {
			t.Errorf("%s is not known", k)
		}
	}
}

func TestLanguagesOfNames(t *testing.T) {
	for name, want := range map[string]string{
		"sherpa-onnx-zipformer-zh-en-2023-11-22":                                "zh en",
		"sherpa-onnx-fire-red-asr-large-zh_en-2025-02-16":                       "zh en",
		"sherpa-onnx-streaming-zipformer-korean-2024-06-16":                     "ko",
		"sherpa-onnx-nemo-fast-conformer-ctc-be-de-en-es-fr-hr-it-pl-ru-uk-20k": "be de en es fr hr it pl ru uk",
		"sherpa-onnx-nemo-transducer-giga-am-v2-russian-2025-04-19":             "ru",
		"sherpa-onnx-streaming-zipformer-en-20M-2023-02-17":                     "en",
		"Model.EN":                   "en",
		"my-zipformer-en":            "en",
		"my":                         "my",
		"sherpa-onnx-zipformer-2024": "",
	} {
		if got := strings.Join(fromName(name), " "); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestLanguagesOfPrompts(t *testing.T) {
	for text, want := range map[string]string{`{"auto":101,"en-US":0,"de-DE":3,"en-GB":1}`: "de en", `[1]`: "",
		`{`: ""} {
		if got := strings.Join(fromPrompts(text), " "); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestNoTellingTheLanguages(t *testing.T) {
	f := recognizers()[9].fixture
	f.name = "mine"
	dir := f.write(t, nil)
	const says = `{"name":"mine","languages":["en"]}`
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v, want it to say how to tell", err)
	}
	put(t, filepath.Join(dir, "model.json"), says)
	if got, err := Read(dir); err != nil || strings.Join(got.Languages, " ") != "en" {
		t.Errorf("told as it says: %v, %v", got.Languages, err)
	}
}
