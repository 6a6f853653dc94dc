package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

type provenanceFlags struct {
	Version string   `required:"" help:"Version of the release."`
	Time    int64    `required:"" help:"Time of the release in seconds since 1970."`
	Commit  string   `help:"Commit of the sources; empty: they are not of one."`
	SBOM    string   `name:"sbom" required:"" help:"Bill of materials of the release." type:"existingfile"`
	Locks   []string `help:"Files of the sources that pin what others made." type:"existingfile"`
	Out     string   `required:"" help:"File to write." type:"path"`
	Files   []string `arg:"" help:"Files of the release." type:"existingfile"`
}

// statement is the provenance of files by SLSA 1.0, as a statement of in-toto 1.0. It has no
// signature, nor any time but that of the release: it is the same for the same sources.
type statement struct {
	Type          string     `json:"_type"`
	Subject       []resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     struct {
		BuildDefinition struct {
			BuildType            string            `json:"buildType"`
			ExternalParameters   map[string]string `json:"externalParameters"`
			InternalParameters   map[string]string `json:"internalParameters"`
			ResolvedDependencies []resource        `json:"resolvedDependencies"`
		} `json:"buildDefinition"`
		RunDetails struct {
			Builder struct {
				ID string `json:"id"`
			} `json:"builder"`
		} `json:"runDetails"`
	} `json:"predicate"`
}

// resource is a file, a commit or a component.
type resource struct {
	Name   string            `json:"name,omitempty"`
	URI    string            `json:"uri,omitempty"`
	Digest map[string]string `json:"digest,omitempty"`
}

// run writes the statement.
func (f provenanceFlags) run(context.Context) error {
	s := statement{Type: "https://in-toto.io/Statement/v1", PredicateType: "https://slsa.dev/provenance/v1"}
	var err error
	if s.Subject, err = digests(f.Files); err != nil {
		return err
	}
	build := &s.Predicate.BuildDefinition
	build.BuildType = "urn:steno:cmd/dist/dist.sh:1"
	build.ExternalParameters = map[string]string{
		"version": f.Version, "sourceDate": time.Unix(f.Time, 0).UTC().Format(time.RFC3339),
	}
	build.InternalParameters = map[string]string{"go": runtime.Version(), "architecture": runtime.GOARCH}
	if build.ResolvedDependencies, err = f.dependencies(); err != nil {
		return err
	}
	s.Predicate.RunDetails.Builder.ID = "urn:steno:make-dist"
	return writeJSON(f.Out, s)
}

// dependencies are the sources, what pins the components, and the components.
func (f provenanceFlags) dependencies() ([]resource, error) {
	all, err := digests(f.Locks)
	if err != nil {
		return nil, err
	}
	if f.Commit != "" {
		all = append(all, resource{Name: "steno", Digest: map[string]string{"gitCommit": f.Commit}})
	}
	file, err := os.Open(f.SBOM)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var b cyclonedx.BOM
	if err := cyclonedx.NewBOMDecoder(file, cyclonedx.BOMFileFormatJSON).Decode(&b); err != nil {
		return nil, fmt.Errorf("%s: %w", f.SBOM, err)
	}
	for _, c := range *b.Components {
		r := resource{Name: c.Name, URI: c.PackageURL}
		if c.Hashes != nil {
			r.Digest = map[string]string{"sha256": (*c.Hashes)[0].Value}
		}
		all = append(all, r)
	}
	return all, nil
}

// digests names files, and the SHA-256 of each.
func digests(paths []string) (all []resource, err error) {
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(content)
		digest := map[string]string{"sha256": hex.EncodeToString(sum[:])}
		all = append(all, resource{Name: filepath.Base(path), Digest: digest})
	}
	return all, nil
}

// writeJSON writes a document, indented.
func writeJSON(path string, document any) error {
	text, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
