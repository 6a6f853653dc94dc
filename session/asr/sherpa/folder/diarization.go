package folder

import (
	"errors"
	"fmt"
	"path/filepath"
)

// diarization describes a folder that holds two models of one file each: one for segmentation and
// one for embeddings.
func (l *listing) diarization(chosen map[role]string, p parts) (Model, error) {
	m := Model{Name: l.name(), Dir: l.dir, Kind: Diarization, Dimension: defaultDimension, manifest: l.manifest}
	for _, r := range []role{first, second} {
		one, single := map[role]string{theModel: chosen[r]}, parts{theModel: p[r]}
		part, err := l.half(one, single)
		switch {
		case err != nil:
			return Model{}, err
		case part.Kind == Segmentation:
			m.Files.Segmentation, m.Rate = part.Files.Model, part.Rate
		case part.Kind == Embedding:
			m.Files.Embedding = part.Files.Model
		}
	}
	if m.Files.Segmentation == "" || m.Files.Embedding == "" {
		return Model{}, fmt.Errorf("two different models, %s and %s: leave the files of one, or name them in "+
			"model.json",
			filepath.Base(chosen[first]), filepath.Base(chosen[second]))
	}
	if named := Kind(l.manifest.Kind); named != "" && named != Diarization {
		return Model{}, errors.New("model.json: kind: segmentation and embedding together are \"diarization\"")
	}
	return m, nil
}

// half describes one of the two. A model of neither kind is empty.
func (l *listing) half(chosen map[role]string, p parts) (Model, error) {
	for _, s := range capabilityKinds() {
		if (s.kind == Segmentation || s.kind == Embedding) && s.is(p) {
			return l.build(s, chosen, p)
		}
	}
	return Model{}, nil
}
