package main

import (
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// newSBOM returns the bill of materials of a release: its files, and the components of others in them.
func newSBOM(version string, at time.Time, components []component, files []file) *cyclonedx.BOM {
	b := cyclonedx.NewBOM()
	steno := cyclonedx.Component{
		BOMRef: "steno", Type: cyclonedx.ComponentTypeApplication, Name: "steno", Version: version,
		Description: "Self-hosted, real-time speech-to-text gateway",
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
			Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: p.licence()}}},
		})
		needs = append(needs, url)
	}
	b.Components = &listed
	b.Dependencies = &[]cyclonedx.Dependency{{Ref: "steno", Dependencies: &needs}}
	return b
}
