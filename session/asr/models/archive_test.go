package models

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// quiet is for servers whose clients fail on purpose.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func file(name string) tar.Header { return tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o777} }

func TestMaliciousArchives(t *testing.T) {
	link := func(kind byte, name, target string) tar.Header {
		return tar.Header{Name: name, Linkname: target, Typeflag: kind}
	}
	many := make([]tar.Header, maxFiles+1)
	for i := range many {
		many[i] = tar.Header{Name: "d/", Typeflag: tar.TypeDir}
	}
	long := "d/" + strings.Repeat("x/", maxPath/2) + "y"
	for name, c := range map[string]struct {
		headers []tar.Header
		says    string
	}{
		"out of it":            {[]tar.Header{file("../evil")}, `"../evil" is not a path within it`},
		"out of it in between": {[]tar.Header{file("d/../../evil")}, "not a path within it"},
		"unclean":              {[]tar.Header{file("d/../evil")}, "not a path within it"},
		"absolute":             {[]tar.Header{file("/tmp/evil")}, "not a path within it"},
		"of a drive":           {[]tar.Header{file(`c:\evil`)}, "not a path within it"},
		"control character":    {[]tar.Header{file("d/\x1b[31m")}, "not a path within it"},
		"not UTF-8":            {[]tar.Header{file("d/f"), file("d/\xff")}, `"d/\xff" is not a path within it`},
		"folder not UTF-8": {[]tar.Header{{Name: "d\xff/", Typeflag: tar.TypeDir}, file("d\xff/f")},
			"not a path within it"},
		"link not UTF-8": {[]tar.Header{file("d/f"), link(tar.TypeSymlink, "d/\xff", "f")},
			"not a path within it"},
		"long path":           {[]tar.Header{file(long)}, "not a path within it"},
		"link out of it":      {[]tar.Header{link(tar.TypeSymlink, "d/l", "../../etc/passwd")}, "a link out of it"},
		"absolute link":       {[]tar.Header{link(tar.TypeSymlink, "d/l", "/etc/passwd")}, "a link out of it"},
		"hard link out of it": {[]tar.Header{link(tar.TypeLink, "d/l", "../evil")}, "a link out of it"},
		"absolute hard link":  {[]tar.Header{link(tar.TypeLink, "d/l", "/etc/passwd")}, "a link out of it"},
		"link to a link": {[]tar.Header{link(tar.TypeSymlink, "d/a", "b"), link(tar.TypeSymlink, "d/b", "a")},
			"no file of it"},
		"link to a folder": {[]tar.Header{file("d/f"), link(tar.TypeSymlink, "d/l", "../d")}, "no file of it"},
		"file through a link": {[]tar.Header{file("d/f"), link(tar.TypeSymlink, "e", "d/f"), file("e/evil")},
			"is there twice"},
		"file over a file": {[]tar.Header{file("d/f"), file("d/f")}, `"d/f" is there twice`},
		"folder over a file": {[]tar.Header{file("d/f"), {Name: "d/f/", Typeflag: tar.TypeDir}},
			`"d/f" is there twice`},
		"link over a file": {[]tar.Header{file("d/f"), file("d/g"), link(tar.TypeLink, "d/g", "d/f")},
			"is there twice"},
		"a pipe":                {[]tar.Header{{Name: "d/p", Typeflag: tar.TypeFifo}}, "neither a file nor a folder"},
		"a device":              {[]tar.Header{{Name: "d/p", Typeflag: tar.TypeBlock}}, "neither a file nor a folder"},
		"its own manifest":      {[]tar.Header{file("d/model.json"), file("d/f")}, "model.json of its own"},
		"nothing":               {nil, "no files in it"},
		"folders only":          {[]tar.Header{{Name: "d/", Typeflag: tar.TypeDir}}, "no files in it"},
		"too many":              {many, "more than 4096 entries"},
		"files of macOS only":   {[]tar.Header{file("._d"), file("d/._f")}, "no files in it"},
		"its own, at the top":   {[]tar.Header{file("model.json")}, "model.json of its own"},
		"hidden deeper, though": {[]tar.Header{file("d/sub/model.json"), file("d/f")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			content := zipped(t, tarred(t, c.headers, nil))
			_, err := Install(within(t), model(content, serve(t, &origin{content: content})), dir, quick())
			if c.says == "" && err != nil || c.says != "" && (!errors.Is(err, ErrArchive) ||
				!strings.Contains(err.Error(), c.says)) {
				t.Errorf("got %v, want it to say %s", err, c.says)
			}
			checkTidy(t, dir)
			checkNothingElsewhere(t, dir, c.says == "")
		})
	}
}

// checkNothingElsewhere looks for files outside the model's folder.
func checkNothingElsewhere(t *testing.T, dir string, installed bool) {
	t.Helper()
	err := filepath.WalkDir(filepath.Dir(dir), func(path string, e fs.DirEntry, err error) error {
		below := strings.HasPrefix(path, filepath.Join(dir, "m")+"/")
		if err == nil && !e.IsDir() && !strings.HasSuffix(path, ".lock") && (!below || !installed) {
			t.Errorf("%s was written", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestLinksWithinAnArchive(t *testing.T) {
	headers := []tar.Header{
		{Name: "./", Typeflag: tar.TypeDir}, {Name: "./d/", Typeflag: tar.TypeDir}, file("./d/f"),
		{Name: "./d/sub/soft", Linkname: "../f", Typeflag: tar.TypeSymlink}, {Name: "d/hard", Linkname: "./d/f",
			Typeflag: tar.TypeLink},
	}
	headers[2].Size = 3
	content := zipped(t, tarred(t, headers, map[string][]byte{"./d/f": []byte("abc")}))
	dir := t.TempDir()
	if _, err := Install(within(t), model(content, serve(t, &origin{content: content})), dir, quick()); err != nil {
		t.Fatal(err)
	}
	abc := []byte("abc")
	checkInstalled(t, dir, map[string][]byte{"d/f": abc, "d/sub/soft": abc, "d/hard": abc})
	if info, err := os.Lstat(filepath.Join(dir, "m", "sub", "soft")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v", info, err)
	}
}

// Several things at the top: the model's folder holds them all.
func TestFlatArchive(t *testing.T) {
	files := map[string][]byte{"x/a.onnx": noise(10), "x/sub/b.txt": noise(20)}
	flat := map[string][]byte{"a.onnx": noise(10), "sub/b.txt": noise(20)}
	content, dir := packed(t, flat), t.TempDir()
	if _, err := Install(within(t), model(content, serve(t, &origin{content: content})), dir, quick()); err != nil {
		t.Fatal(err)
	}
	checkInstalled(t, dir, files)
}

func TestBombsAreRefused(t *testing.T) {
	plain := map[string][]byte{"pack/zeros": make([]byte, 1<<20)}
	resource := map[string][]byte{"pack/._a": make([]byte, 1<<19), "pack/._b": make([]byte, 1<<19), "pack/f": nil}
	trailing := append(tarred(t, []tar.Header{file("d/f")}, nil), make([]byte, 2<<20)...)
	for name, content := range map[string][]byte{
		"more bytes": packed(t, plain), "more bytes than": packed(t, resource), "something follows its end": zipped(t,
			trailing),
	} {
		t.Run(name, func(t *testing.T) {
			options, dir := quick(), t.TempDir()
			options.most = 1<<20 - 1
			_, err := Install(within(t), model(content, serve(t, &origin{content: content})), dir, options)
			if !errors.Is(err, ErrArchive) || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v", err)
			}
			checkTidy(t, dir)
		})
	}
	options, dir := quick(), t.TempDir()
	options.most = 1 << 20
	content := packed(t, plain)
	if _, err := Install(within(t), model(content, serve(t, &origin{content: content})), dir, options); err != nil {
		t.Errorf("just as much as allowed: %v", err)
	}
}

// Without a checksum, what is broken shows when it is unpacked; it must not be found again the next
// time.
func TestBrokenArchivesAreForgotten(t *testing.T) {
	good := packed(t, someFiles())
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 1
	tail := bytes.Clone(good)
	tail[len(tail)-5] ^= 1 // in the checksum at the end
	for name, content := range map[string][]byte{
		"cut off": good[:len(good)-100], "flipped": flipped, "flipped at the end": tail, "no archive": noise(100),
		"empty": {},
	} {
		t.Run(name, func(t *testing.T) {
			options, dir := quick(), t.TempDir()
			options.Unverified = true
			o := &origin{content: content, tag: `"1"`}
			e := model(good, serve(t, o))
			e.SHA256 = ""
			if _, err := Install(within(t), e, dir, options); !errors.Is(err, ErrArchive) {
				t.Errorf("got %v", err)
			}
			checkTidy(t, dir)
		})
	}
}

func TestCancelledWhileUnpacking(t *testing.T) {
	files := someFiles()
	content := packed(t, files)
	o := &origin{content: content, tag: `"1"`}
	e, dir, options := model(content, serve(t, o)), t.TempDir(), quick()
	ctx, cancel := context.WithCancel(within(t))
	options.Progress = func(s Stage, _, _ int64) {
		if s == Unpacking {
			cancel()
		}
	}
	if _, err := Install(ctx, e, dir, options); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if _, err := Install(within(t), e, dir, quick()); err != nil {
		t.Fatal(err)
	}
	checkInstalled(t, dir, files)
	if got := len(o.asked()); got != 1 {
		t.Errorf("asked %d times: the download was not kept", got)
	}
}

// FuzzUnpack: whatever an archive holds, nothing gets out of the folder, and what was written is
// what is errorReader.
func FuzzUnpack(f *testing.F) {
	f.Add(tarred(f, []tar.Header{file("d/f"), {Name: "d/l", Linkname: "f", Typeflag: tar.TypeSymlink}}, nil))
	f.Add(tarred(f, []tar.Header{file("../f")}, nil))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, archive []byte) {
		outer := t.TempDir()
		dir := filepath.Join(outer, "in")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close() //nolint:errcheck // a folder
		w := &writer{root: root, left: 1 << 20, files: map[string]File{}, dirs: map[string]bool{".": true}}
		if err := w.unpack(bytes.NewReader(archive), "x.tar"); err != nil {
			return
		}
		if faults, err := added(outer, Manifest{}); err != nil || len(faults) != len(w.files) {
			t.Errorf("%d files errorReader, there are %v, %v", len(w.files), faults, err)
		}
	})
}

func BenchmarkUnpack(b *testing.B) {
	content := packed(b, map[string][]byte{"pack/a.onnx": noise(8 << 20)})
	b.SetBytes(8 << 20)
	for b.Loop() {
		unzipped, err := gzip.NewReader(bytes.NewReader(content))
		if err != nil {
			b.Fatal(err)
		}
		root, err := os.OpenRoot(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		w := &writer{root: root, left: 1 << 30, files: map[string]File{}, dirs: map[string]bool{".": true}}
		if err := w.tar(unzipped); err != nil {
			b.Fatal(err)
		}
		_ = root.Close()
	}
}
