package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryKeyIsNeeded takes every key that a kind needs away, and spoils it, in turn.
func TestEveryKeyIsNeeded(t *testing.T) {
	for _, c := range examples() {
		for _, n := range needsOf(t, c) {
			keys := strings.Fields(strings.Join([]string{n.ints, n.lists, n.reals, n.texts}, " "))
			for _, key := range keys {
				for _, value := range []string{"", "many"} {
					if value != "" && slices.Contains(strings.Fields(n.texts), key) {
						continue // a text may be anything
					}
					t.Run(fmt.Sprintf("%s %s=%q", c.name, key, value),
						func(t *testing.T) { without(t, c, n.role, key, value) })
				}
			}
		}
	}
}

// needsOf finds the needs of the kind that an example is of. Those that telling kinds apart rests
// on are left out.
func needsOf(t *testing.T, c example) []need {
	t.Helper()
	if c.want.kind == Diarization {
		return nil
	}
	dir := c.write(t, nil)
	l, chosen, p := opened(t, dir)
	s, err := l.match(chosen, p)
	if err != nil {
		t.Fatal(err)
	}
	return s.needs
}

func opened(t *testing.T, dir string) (*listing, map[role]string, parts) {
	t.Helper()
	names, err := entries(dir)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := choose(names)
	if err != nil {
		t.Fatal(err)
	}
	l := &listing{dir: dir, real: dir, names: names}
	return l, chosen, l.open(chosen)
}

func without(t *testing.T, c example, r role, key, value string) {
	dir := c.write(t, func(file string, metadata map[string]string) {
		if p, _ := parse(file); p.role != r && r != theModel {
			return
		}
		if metadata[key] != "" {
			metadata[key] = value
		}
	})
	got, err := Read(dir)
	if err == nil {
		t.Fatalf("no error, but a model of the kind %s", got.Kind)
	}
	if text := err.Error(); !strings.Contains(text, key) && !strings.Contains(text, "no kind that is known") &&
		!strings.Contains(text, "tell of no kind") {
		t.Errorf("the error does not name %s: %v", key, err)
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		check func(string) error
		text  string
		ok    bool
	}{
		{integer, "0", true},
		{integer, " 16777215 ", true},
		{integer, "16777216", false},
		{integer, "-1", false},
		{integer, "1.5", false},
		{integer, "1e3", false},
		{integer, "0x10", false},
		{integer, "\x00", false},
		{integer, strings.Repeat("9", 1<<20), false},
		{integers, "1,2, 3", true},
		{integers, "1,,2", false},
		{integers, "1;2", false},
		{numbers, "-1.5e-3, 2", true},
		{numbers, "1,", false},
		{numbers, "1,a", false},
		{numbers, "nan", false},
		{numbers, "Inf", false},
		{numbers, strings.Repeat("1,", maxNumbers) + "1", false},
	} {
		if err := c.check(c.text); (err == nil) != c.ok || err != nil && len(err.Error()) > 200 {
			t.Errorf("%.40q: %v", c.text, err)
		}
	}
}

// TestFaults has faulty folders, and what the error must contain: it lists all faults together.
func TestFaults(t *testing.T) {
	zipformer := recognizers()[0].fixture
	const encoderFile, decoderFile = "encoder-epoch-99-avg-1-chunk-16-left-128.onnx",
		"decoder-epoch-99-avg-1-chunk-16-left-128.onnx"
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, dir string)
		says  []string
	}{
		{"no tokens", remove("tokens.txt"), []string{"tokens.txt: no such file"}},
		{"no joiner", remove("joiner-epoch-99-avg-1-chunk-16-left-128.onnx"), []string{"no joiner"}},
		{"no decoder", remove(decoderFile), []string{"no decoder"}},
		{"an empty model", file(encoderFile, ""), []string{encoderFile + ": the file is empty"}},
		{"a page of HTML", file(encoderFile, "<!DOCTYPE html>"), []string{encoderFile, "HTML"}},
		{"a pointer of Git LFS", file(encoderFile, "version https://git-lfs.github.com/spec/v1\n"),
			[]string{encoderFile, "LFS"}},
		{"a cut model", cutShort(encoderFile), []string{encoderFile, "truncated"}},
		{"a length beyond all bounds", file(encoderFile, "\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
			[]string{encoderFile, "truncated"}},
		{"a number without an end", file(encoderFile, strings.Repeat("\xff", 64)), []string{encoderFile, "protobuf"}},
		{"nested for ever", file(encoderFile, nested(100000)), []string{encoderFile}},
		{"the runtime's own format", file(encoderFile, "\x20\x00\x00\x00ORTM...."), []string{encoderFile}},
		{"a folder named like a model", asFolder(encoderFile), []string{encoderFile + ": a folder, not a file"}},
		{"a link that leads out", linked(encoderFile, "/etc/passwd"),
			[]string{encoderFile + ": a link that leads out of the folder"}},
		{"a link to nothing", linked(encoderFile, "nothing"), []string{encoderFile + ": no such file"}},
		{"a link to itself", linked(encoderFile, encoderFile), []string{encoderFile + ": "}},
		{"tokens elsewhere", linked("tokens.txt", "/etc/passwd"), []string{"tokens.txt: a link that leads out"}},
		{"too few tokens", file("tokens.txt", tokens(4, "<blk>")),
			[]string{"tokens.txt: 4 tokens, and the model has 5"}},
		{"a vocabulary that is none", file("bpe.vocab", "a\n"), []string{"bpe.vocab: line 1: not a piece"}},
		{
			"several at once", func(t *testing.T, dir string) {
				file(decoderFile, "")(t, dir)
				remove("tokens.txt")(t, dir)
				file("bpe.vocab", "a\tb\n")(t, dir)
			}, []string{decoderFile + ": the file is empty", "tokens.txt: no such file",
				`bpe.vocab: line 1: "b" is no score`},
		},
		{"a second model", func(t *testing.T, dir string) {
			for _, r := range []string{"encoder", "decoder", "joiner"} {
				put(t, filepath.Join(dir, r+"-epoch-12.onnx"), "x")
			}
		}, []string{"several models", "model.json"}},
		{"nothing", func(t *testing.T, dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}, []string{"no such file"}},
		{"no models", func(t *testing.T, dir string) {
			for _, r := range []string{"encoder", "decoder", "joiner"} {
				remove(r+"-epoch-99-avg-1-chunk-16-left-128.onnx")(t, dir)
			}
		}, []string{"no .onnx file"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := zipformer.write(t, nil)
			c.spoil(t, dir)
			_, err := Read(dir)
			for _, text := range append(c.says, dir) {
				if err == nil || !strings.Contains(err.Error(), text) {
					t.Errorf("the error does not say %q: %v", text, err)
				}
			}
		})
	}
}

func remove(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func file(name, text string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { put(t, filepath.Join(dir, name), text) }
}

func cutShort(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		path := filepath.Join(dir, name)
		stat, err := os.Stat(path)
		if err == nil {
			err = os.Truncate(path, stat.Size()-3)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func asFolder(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		remove(name)(t, dir)
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

func linked(name, to string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		remove(name)(t, dir)
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// nested is a model whose graph is in a node of a graph, and so on.
func nested(depth int) string {
	var b strings.Builder
	for range depth {
		b.WriteString("\x3a\xff\xff\x03")
	}
	return b.String() + strings.Repeat("\x08\x01", 100000)
}

func TestLinksWithinTheFolder(t *testing.T) {
	c := recognizers()[0]
	dir := c.write(t, nil)
	const name = "decoder-epoch-99-avg-1-chunk-16-left-128.onnx"
	if err := os.Mkdir(filepath.Join(dir, "blobs"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, name), filepath.Join(dir, "blobs", "a")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("blobs/a", filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	through := filepath.Join(t.TempDir(), c.name)
	if err := os.Symlink(dir, through); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{dir, through} {
		got, err := Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, dir, got, c.want)
	}
}

func TestPrecisions(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string // encoder, decoder
		says  string
	}{
		{[]string{"encoder.onnx", "decoder.onnx"}, "encoder.onnx decoder.onnx", ""},
		{[]string{"encoder.onnx", "encoder.int8.onnx", "decoder.onnx", "decoder.int8.onnx"},
			"encoder.int8.onnx decoder.int8.onnx", ""},
		{[]string{"encoder.int8.onnx", "decoder.onnx"}, "encoder.int8.onnx decoder.onnx", ""},
		{[]string{"encoder.fp16.onnx", "encoder.onnx", "decoder.fp16.onnx"}, "encoder.onnx decoder.fp16.onnx", ""},
		{[]string{"a-encoder.int8.onnx", "a-decoder.onnx", "b-encoder.onnx"}, "a-encoder.int8.onnx a-decoder.onnx", ""},
		{[]string{"encoder-chunk-16.onnx", "decoder.onnx"}, "encoder-chunk-16.onnx decoder.onnx", ""},
		{[]string{"a-encoder.onnx", "a-decoder.onnx", "b-encoder.onnx", "b-decoder.int8.onnx"}, "", "several models"},
		{[]string{"a-encoder.onnx", "b-encoder.onnx", "c-decoder.onnx"}, "", "several models"},
		{[]string{"encoder.int8.onnx"}, "", "no decoder"},
		{[]string{"a.onnx", "b.onnx", "c.onnx"}, "", "3 different models"},
	} {
		chosen, err := choose(c.names)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v: %v, want it to say %q", c.names, err, c.says)
			}
			continue
		}
		if got := chosen[encoder] + " " + chosen[decoder]; got != c.want || err != nil {
			t.Errorf("%v: got %s, %v, want %s", c.names, got, err, c.want)
		}
	}
}
