package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// TestComponentsOfAProgram describes this test's own program, which has libraries too.
func TestComponentsOfAProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	console := filepath.Join(t.TempDir(), "console.js")
	if err := os.WriteFile(console, []byte("code/*! htm 3.1.1\nCopyright\n"+mit+"*/\n/*! uplot 1.2\nPermission\n*/"),
		0o600); err != nil {
		t.Fatal(err)
	}
	f := flags{Version: "1", Time: 1700000000, Console: console, Models: t.TempDir(), Out: t.TempDir(),
		Programs: []string{self}}
	if err := f.run(t.Context()); err == nil || !strings.Contains(err.Error(), "no model in ") {
		t.Fatalf("without a model: %v", err)
	}
	smallModel(t, filepath.Join(f.Models, "tiny"))
	if err := f.run(t.Context()); err == nil || !strings.Contains(err.Error(),
		"uplot 1.2 has a licence that is not recognized") {
		t.Fatalf("without a licence: %v", err)
	}
	licence := filepath.Join(f.Models, "tiny", "LICENSE")
	away := filepath.Join(f.Models, "tiny", "away")
	if err := os.Rename(licence, away); err != nil {
		t.Fatal(err)
	}
	f.Console = "../../gateway/console/dist/console.js"
	if err := f.run(t.Context()); err == nil || !strings.Contains(err.Error(),
		"tiny-weights 1.0 has no text of a licence") {
		t.Fatalf("a model without a licence: %v", err)
	}
	if err := os.Rename(away, licence); err != nil {
		t.Fatal(err)
	}
	if err := f.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	var b cyclonedx.BOM
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(f.Out, "sbom.cdx.json"))), &b); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, c := range *b.Components {
		if c.Type == cyclonedx.ComponentTypeLibrary {
			found[c.Name] = (*c.Licenses)[0].License.ID
			text := readFile(t, filepath.Join(f.Out, "licences", c.Name+"@"+c.Version+".txt"))
			if !strings.Contains(strings.ToLower(text), "copyright") {
				t.Errorf("%s: %s", c.Name, text)
			}
		} else if len((*c.Hashes)[0].Value) != 64 {
			t.Errorf("%+v", c)
		}
	}
	for name, licence := range map[string]string{
		"std": "BSD-3-Clause", "github.com/alecthomas/kong": "MIT", "github.com/CycloneDX/cyclonedx-go": "Apache-2.0",
		"preact": "MIT", "tiny-weights": "MIT", "htm": "Apache-2.0", "uplot": "MIT",
	} {
		if found[name] != licence {
			t.Errorf("%s: %q, not %s", name, found[name], licence)
		}
	}
	if own := *b.Metadata.Component.Licenses; own[0].License.ID != "Apache-2.0" {
		t.Errorf("steno's licence: %+v", own)
	}
	if b.Metadata.Timestamp != time.Unix(f.Time, 0).UTC().Format(time.RFC3339) {
		t.Errorf("made at %s", b.Metadata.Timestamp)
	}
}
