package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// component is something of others that a release contains.
type component struct {
	kind    string // of its package URL: golang, npm, pypi, generic
	name    string // path of a Go module, name of another
	version string
	text    string // of its licence, with its notices
}

// check reports a component whose licence is not known.
func (c component) check() error {
	if strings.TrimSpace(c.text) == "" {
		return fmt.Errorf("%s %s has no text of a licence", c.name, c.version)
	}
	if len(c.licences()) == 0 {
		return fmt.Errorf("%s %s has a licence that is not recognized:\n%.300s", c.name, c.version, c.text)
	}
	return nil
}

// file is a file of the release.
type file struct{ name, sha256 string }

// contents lists what is in programs and shared libraries, each component once, by name.
func contents(ctx context.Context, paths []string) (components []component, files []file, err error) {
	versions := map[string]string{} // of Go modules
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		sum := sha256.Sum256(content)
		files = append(files, file{filepath.Base(path), hex.EncodeToString(sum[:])})
		info, err := buildinfo.Read(bytes.NewReader(content))
		if err != nil { // a shared library
			if strings.HasPrefix(filepath.Base(path), "libonnxruntime.so") {
				runtime, err := onnxRuntime(bytes.NewReader(content))
				if err != nil {
					return nil, nil, fmt.Errorf("%s: %w", path, err)
				}
				components = append(components, runtime)
			}
			continue
		}
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			versions[m.Path] = m.Version
		}
	}
	modules, err := moduleComponents(ctx, versions)
	if err != nil {
		return nil, nil, err
	}
	toolchain, err := goComponents()
	components = slices.Concat(components, toolchain, modules)
	slices.SortFunc(components, func(a, b component) int { return strings.Compare(a.name, b.name) })
	return components, files, err
}

// moduleComponents reads the licences of Go modules where the Go tool keeps them.
func moduleComponents(ctx context.Context, versions map[string]string) (components []component, err error) {
	if len(versions) == 0 { // without names all modules are meant
		return nil, nil
	}
	args := []string{"mod", "download", "-json"}
	for path, version := range versions {
		args = append(args, path+"@"+version)
	}
	slices.Sort(args[3:])
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	if err != nil {
		return nil, fmt.Errorf("find modules: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Version, Dir string }
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return components, nil
		} else if err != nil {
			return nil, fmt.Errorf("find modules: %w", err)
		}
		text, err := licenceTexts(m.Dir)
		if err != nil {
			return nil, err
		}
		components = append(components, component{"golang", m.Path, m.Version, text})
	}
}

// licenceFile is what files with a licence, or with notices that belong to it, are called.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]es?|copying|notices?|copyright)([-._].*)?$`)

// licenceTexts joins the licences and notices in a folder.
func licenceTexts(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var all []string
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		all = append(all, strings.TrimSpace(string(text))+"\n")
	}
	return strings.Join(all, "\n"), nil
}

// goComponents is Go itself, whose library is in every program.
func goComponents() ([]component, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go: %w", err)
	}
	text, err := licenceTexts(strings.TrimSpace(string(root)))
	return []component{{"golang", "std", strings.TrimPrefix(runtime.Version(), "go"), text}}, err
}

// onnxVersion is the version in the names of the symbols of ONNX Runtime.
var onnxVersion = regexp.MustCompile(`^VERS_([0-9]+(?:\.[0-9]+)+)$`)

// onnxRuntime is the library that sherpa-onnx brings along, as a build of its publisher without the
// licence beside it.
func onnxRuntime(content io.ReaderAt) (component, error) {
	f, err := elf.NewFile(content)
	if err != nil {
		return component{}, err
	}
	versions, err := f.DynamicVersions()
	if err != nil {
		return component{}, err
	}
	for _, v := range versions {
		if m := onnxVersion.FindStringSubmatch(v.Name); m != nil {
			return component{"generic", "onnxruntime", m[1],
				"Copyright (c) Microsoft Corporation. All rights reserved.\n\n" + mit +
					"\nIts own components: ThirdPartyNotices.txt of https://github.com/microsoft/onnxruntime.\n"}, nil
		}
	}
	return component{}, errors.New("its version is not known")
}

// scriptLicence is a library's name and version, and its licence, at the end of the console's
// script.
var scriptLicence = regexp.MustCompile(`(?s)/\*! ([a-z0-9@/._-]+) (\d\S*)\n(.*?)\n\*/`)

// scriptComponents are the libraries in the console's script.
func scriptComponents(script string) (components []component, err error) {
	for _, m := range scriptLicence.FindAllStringSubmatch(script, -1) {
		components = append(components, component{"npm", m[1], m[2], m[3] + "\n"})
	}
	if len(components) == 0 {
		return nil, errors.New("it names no library")
	}
	return components, nil
}
