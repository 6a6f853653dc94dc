package recognizers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"steno/audio/process/confine"
	"steno/session/asr/sherpa/folder"
)

// rights returns what the program of a local engine may do besides what all of them may; nil:
// whatever this process may. It is an error if programs cannot be confined here and must be.
func (c Setup) rights(name string) (*confine.Rights, error) {
	if !c.Engines.Confined() {
		return nil, nil
	}
	if err := confine.Supported(); err != nil {
		return nil, fmt.Errorf("engines cannot be confined: %w (engines.sandbox: off, or STENO_ENGINES_SANDBOX=off, "+
			"does without)", err)
	}
	r := &confine.Rights{}
	if kind := c.modelKindOf(name); kind != noModels {
		dir := c.modelsFor(kind)
		r.Read = append(linked(dir), dir)
		if c.Engines.Store != "" {
			r.Read = append(r.Read, c.Engines.Store) // to which models may be links that are not there yet
		}
		r.Write = probed(dir)
		return r, nil
	}
	sphinx := c.Engines.Sphinx
	if more := c.Engines.More[name].Sphinx; more != nil {
		sphinx = *more
	}
	for _, path := range []string{sphinx.Model, sphinx.LM, sphinx.Dictionary} {
		if path != "" {
			r.Read = append(r.Read, path)
		}
	}
	return r, nil
}

// linked returns the folders to which models in a folder are links.
func linked(models string) (targets []string) {
	entries, _ := os.ReadDir(models) // none: the engine reports it
	for _, e := range entries {
		target, err := filepath.EvalSymlinks(filepath.Join(models, e.Name()))
		if err == nil && e.Type()&fs.ModeSymlink != 0 {
			targets = append(targets, target)
		}
	}
	return targets
}

// probed returns the folder in which an engine records which models passed a trial, if it can be
// made. Without it the engine tries them again when it is started.
func probed(models string) []string {
	dir := filepath.Join(models, folder.Probed)
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil
	}
	return []string{dir}
}
