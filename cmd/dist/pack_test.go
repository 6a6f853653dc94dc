package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// packedAt is the time of all files in the tests' releases, in seconds since 1970.
const packedAt = 1700000000

// pack packs a release of the sources in a folder, and returns the Debian package and the archive.
// Without programs they are built.
func pack(t *testing.T, sources, out string, programs ...string) (deb, archive string) {
	t.Helper()
	cmd := exec.Command("cmd/dist/dist.sh", append([]string{"0~test", out}, programs...)...)
	cmd.Dir = sources
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1700000000")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if text, err := exec.Command("sh", "-c", "cd '"+out+
		"' && sha256sum --strict -c SHA256SUMS").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	return onlyFile(t, out, "*.deb"), onlyFile(t, out, "*.tar.gz")
}

// onlyFile is the only file of a folder with a name like the pattern.
func onlyFile(t *testing.T, dir, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %v, %v", pattern, found, err)
	}
	return found[0]
}

// smallPrograms are a Go program and shell scripts in the place of the release's programs, which
// take minutes to be built and packed.
func smallPrograms(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(dir, "steno"),
		source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, name := range []string{"steno-engine", "loadtest"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	smallModel(t, filepath.Join(dir, "models", "tiny"))
	return dir
}

// smallModel writes the folder of a model that only its files make one, with rights and in part
// hidden as an installation leaves it.
func smallModel(t *testing.T, dir string) {
	t.Helper()
	sum := strings.Repeat("0", 64)
	manifest := `{"name": "tiny", "languages": ["en"], "source": "pkg:pypi/tiny-weights@1.0", "files": [{"name": "encoder_model.ort", "size": 7, "sha256": "` + sum + `"}]}`
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"model.json": manifest, "LICENSE": mit, "encoder_model.ort": "weights",
		"../.tiny.lock": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o400); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPack packs small programs: what has to be in the package and the archive is there, with the
// time, owner and rights that it should have, documents lead to each other, and the same is packed
// again with other rights for new files and on another file system.
func TestPack(t *testing.T) {
	for _, name := range []string{"dpkg-deb", "tar", "gzip", "sha256sum"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	out, programs := t.TempDir(), smallPrograms(t)
	deb, archive := pack(t, "../..", out, programs)
	packed := packageFiles(t, deb)
	for _, name := range []string{
		"usr/lib/steno/steno", "usr/lib/steno/steno-engine", "usr/lib/steno/loadtest", "usr/lib/steno/steno-demo",
		"usr/lib/steno/models/tiny/encoder_model.ort", "usr/lib/steno/models/tiny/LICENSE",
		"usr/share/doc/steno/licences/tiny-weights@1.0.txt",
		"usr/lib/systemd/system/steno.service", "etc/steno/steno.yml", "usr/share/doc/steno/README.md",
		"usr/share/doc/steno/sbom.cdx.json",
		"usr/share/doc/steno/LICENSE", "usr/share/doc/steno/NOTICE",
	} {
		if packed[name] == nil {
			t.Errorf("the package has no %s", name)
		}
	}
	if link := packed["usr/bin/steno"]; link == nil || packed[path.Join("usr/bin", link.Linkname)] == nil {
		t.Errorf("no link to the program: %+v", link)
	}
	for name := range packed {
		if strings.HasSuffix(name, ".lock") {
			t.Errorf("the package has %s", name)
		}
	}
	checkHeaders(t, packed)
	checkLinks(t, packed, "usr/share/doc/steno")
	checkControl(t, deb)

	text, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	unzipped, err := gzip.NewReader(text)
	if err != nil {
		t.Fatal(err)
	}
	folder := strings.TrimSuffix(filepath.Base(archive), ".tar.gz")
	packed = tarFiles(t, unzipped)
	for _, name := range []string{"lib/steno", "lib/steno-engine", "lib/loadtest", "lib/steno-demo",
		"lib/models/tiny/model.json", "lib/models/tiny/LICENSE", "steno.service", "steno.yml", "README.md", "LICENSE",
		"NOTICE"} {
		if packed[folder+"/"+name] == nil {
			t.Errorf("the archive has no %s", name)
		}
	}
	checkHeaders(t, packed)
	checkLinks(t, packed, folder)

	checkProvenance(t, out, deb, archive)

	again := t.TempDir()
	if _, err := os.Stat("/dev/shm"); err == nil {
		t.Setenv("GOTMPDIR", t.TempDir()) // programs may not be run from there
		t.Setenv("TMPDIR", "/dev/shm")
	}
	previous := syscall.Umask(0o077)
	pack(t, "../..", again, programs)
	syscall.Umask(previous)
	if a, b := readFile(t, filepath.Join(out, "SHA256SUMS")), readFile(t, filepath.Join(again, "SHA256SUMS")); a != b {
		t.Errorf("packed again the checksums differ:\n%s\n%s", a, b)
	}
}

// checkProvenance checks that the statement is about the packed files and nothing else, and names
// what they are made of, by digest where there is one.
func checkProvenance(t *testing.T, out string, packed ...string) {
	t.Helper()
	var s statement
	if err := json.Unmarshal([]byte(readFile(t, onlyFile(t, out, "*.provenance.json"))), &s); err != nil {
		t.Fatal(err)
	}
	packed = append(packed, onlyFile(t, out, "*.cdx.json"))
	for _, subject := range s.Subject {
		i := slices.IndexFunc(packed, func(path string) bool { return filepath.Base(path) == subject.Name })
		if i < 0 {
			t.Errorf("provenance of %s", subject.Name)
			continue
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(readFile(t, packed[i])))); subject.Digest["sha256"] != sum {
			t.Errorf("provenance of %s: %s, not %s", subject.Name, subject.Digest["sha256"], sum)
		}
	}
	if len(s.Subject) != len(packed) {
		t.Errorf("provenance of %d files, not %d", len(s.Subject), len(packed))
	}
	build := s.Predicate.BuildDefinition
	if build.ExternalParameters["version"] != "0~test" || build.InternalParameters["go"] != runtime.Version() {
		t.Errorf("provenance: %v, %v", build.ExternalParameters, build.InternalParameters)
	}
	for _, name := range []string{"go.sum", "package-lock.json", "steno", "models/tiny/encoder_model.ort", "std"} {
		i := slices.IndexFunc(build.ResolvedDependencies, func(r resource) bool { return r.Name == name })
		if i < 0 || build.ResolvedDependencies[i].URI == "" && len(build.ResolvedDependencies[i].Digest) == 0 {
			t.Errorf("provenance does not tell %s: %+v", name, build.ResolvedDependencies)
		}
	}
}

// packageFiles are the files of a Debian package, without the scripts.
func packageFiles(t *testing.T, deb string) map[string]*tarFile {
	t.Helper()
	text, err := exec.Command("dpkg-deb", "--fsys-tarfile", deb).Output()
	if err != nil {
		t.Fatal(err)
	}
	return tarFiles(t, strings.NewReader(string(text)))
}

// tarFile is a file of an archive; of those that end in .md it has the text.
type tarFile struct {
	*tar.Header
	text string
}

// tarFiles are the files of an archive by their paths.
func tarFiles(t *testing.T, r io.Reader) map[string]*tarFile {
	t.Helper()
	all := map[string]*tarFile{}
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		f := &tarFile{Header: h}
		if path.Ext(h.Name) == ".md" {
			text, err := io.ReadAll(archive)
			if err != nil {
				t.Fatal(err)
			}
			f.text = string(text)
		}
		all[path.Clean(h.Name)] = f
	}
}

// checkHeaders wants files to be root's, readable by all, written by root alone, and of the
// release's time.
func checkHeaders(t *testing.T, packed map[string]*tarFile) {
	t.Helper()
	for name, f := range packed {
		mode := f.FileInfo().Mode()
		if f.Uid != 0 || f.Gid != 0 || !f.ModTime.Equal(time.Unix(packedAt, 0)) || f.Typeflag != tar.TypeSymlink &&
			(mode&0o022 != 0 || mode&0o444 != 0o444) {
			t.Errorf("%s: %v, of %d:%d, %v", name, mode, f.Uid, f.Gid, f.ModTime)
		}
	}
}

// documentLink is a link to a file, with a heading perhaps.
var documentLink = regexp.MustCompile(`\]\(([^)\s:#]+)(?:#[^)]*)?\)`)

// checkLinks follows the links of the documents below a folder to other files.
func checkLinks(t *testing.T, packed map[string]*tarFile, folder string) {
	t.Helper()
	links := 0
	for _, name := range slices.Sorted(maps.Keys(packed)) {
		for _, m := range documentLink.FindAllStringSubmatch(packed[name].text, -1) {
			links++
			if target := path.Join(path.Dir(name), m[1]); packed[target] == nil || !strings.HasPrefix(target, folder) {
				t.Errorf("%s leads to %s, which is not packed", name, target)
			}
		}
	}
	if links < 10 {
		t.Errorf("%d links were followed", links)
	}
}

// checkControl checks the description of the package for dpkg.
func checkControl(t *testing.T, deb string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "control")
	if text, err := exec.Command("dpkg-deb", "--control", deb, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	control := readFile(t, filepath.Join(dir, "control"))
	if regexp.MustCompile(`@[A-Z]+@`).MatchString(control) || !strings.Contains(control, "\nVersion: 0~test\n") {
		t.Errorf("control:\n%s", control)
	}
	for _, script := range []string{"postinst", "prerm", "postrm"} {
		if text, err := exec.Command("sh", "-n", filepath.Join(dir, script)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", script, err, text)
		}
		if info, err := os.Stat(filepath.Join(dir, script)); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s: %v, %v", script, info, err)
		}
	}
	if sums := readFile(t, filepath.Join(dir, "md5sums")); !strings.Contains(sums, "  usr/lib/steno/steno\n") {
		t.Errorf("md5sums:\n%s", sums)
	}
}
