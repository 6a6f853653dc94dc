package main

import (
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// newSBOM returns the bill of materials of a release: its files, and the components of others in
// them.
func newSBOM(version string, at time.Time, components []component, files []file) *cyclonedx.BOM {
	b := cyclonedx.NewBOM()
	steno := cyclonedx.Component{
		BOMRef: "steno", Type: cyclonedx.ComponentTypeApplication, Name: "steno", Version: version,
		Description: "Self-hosted, real-time speech-to-text gateway",
		Licenses:    &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "Apache-2.0"}}},
	}
	b.Metadata = &cyclonedx.Metadata{Timestamp: at.UTC().Format(time.RFC3339), Component: &steno}
	var listed []cyclonedx.Component
	for _, f := range files {
		listed = append(listed, cyclonedx.Component{
			BOMRef: "file:" + f.name, Type: cyclonedx.ComponentTypeFile, Name: f.name,
			Hashes: &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: f.sha256}},
		})
	}
	needs := []string{}
	for _, p := range components {
		url := "pkg:" + p.kind + "/" + p.name + "@" + p.version
		listed = append(listed, cyclonedx.Component{
			BOMRef: url, Type: cyclonedx.ComponentTypeLibrary, Name: p.name, Version: p.version, PackageURL: url,
			Licenses: licenceChoice(p.licences()),
		})
		needs = append(needs, url)
	}
	b.Components = &listed
	b.Dependencies = &[]cyclonedx.Dependency{{Ref: "steno", Dependencies: &needs}}
	return b
}

// licenceChoice names one licence by its identifier, and several by an expression: all of them
// apply.
func licenceChoice(ids []string) *cyclonedx.Licenses {
	if len(ids) == 1 {
		return &cyclonedx.Licenses{{License: &cyclonedx.License{ID: ids[0]}}}
	}
	return &cyclonedx.Licenses{{Expression: strings.Join(ids, " AND ")}}
}
