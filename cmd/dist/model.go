package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"steno/session/asr/models"
)

// modelComponents lists the models in a folder, each of which must have a manifest and the text of
// its licence, and their files.
func modelComponents(dir string) (components []component, files []file, err error) {
	folders := models.Installed(dir)
	if len(folders) == 0 {
		return nil, nil, fmt.Errorf("no model in %s", dir)
	}
	for _, folder := range folders {
		m, err := models.ReadManifest(folder)
		if err != nil {
			return nil, nil, err
		}
		text, err := licenceTexts(folder)
		if err != nil {
			return nil, nil, err
		}
		c := component{"generic", m.Name, "", text}
		if name, ok := strings.CutPrefix(m.Source, "pkg:pypi/"); ok {
			c.kind = "pypi"
			c.name, c.version, _ = strings.Cut(name, "@")
		}
		c.version = cmp.Or(c.version, "0")
		components = append(components, c)
		for _, f := range m.Files {
			files = append(files, file{filepath.Join("models", m.Name, f.Name), f.SHA256})
		}
	}
	return components, files, nil
}
