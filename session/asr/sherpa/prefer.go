package sherpa

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// prefer orders models: as the configuration names them, else what is made for fewer languages before what is made for
// many, the larger before the smaller, and by name.
func (r *Recognizer) prefer(a, b *model) int {
	return cmp.Or(
		cmp.Compare(slices.Index(r.config.Models, a.name), slices.Index(r.config.Models, b.name)),
		cmp.Compare(len(a.spec.Languages), len(b.spec.Languages)),
		cmp.Compare(b.bytes, a.bytes),
		cmp.Compare(a.name, b.name),
	)
}

// weights is the size of the model files in a folder. What cannot be looked at counts as nothing: it orders, no more.
func weights(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(d.Name(), ".onnx") {
			return nil
		}
		if info, err := d.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}
