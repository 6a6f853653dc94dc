package sherpa

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"steno/session/asr/sherpa/folder"
)

// Probe loads the model in a folder, or two models that only work together, and runs it on a second
// of silence. The library may end the process over a bad model, so call it in a process of its own.
func Probe(ctx context.Context, dirs ...string) error {
	if !supported {
		return errUnsupported
	}
	var parts []part
	for _, dir := range dirs {
		spec, err := folder.Read(dir)
		if err != nil {
			return err
		}
		parts = append(parts, part{spec: spec})
	}
	if len(parts) == 0 {
		return errors.New("no folder of a model")
	}
	if parts[0].spec.Kind.Recognizes() {
		return tryModel(parts[0].spec)
	}
	a, err := newCapability(parts, 1)
	if err != nil {
		return err
	}
	return errors.Join(probeCapability(ctx, a), a.Close())
}

func tryModel(spec folder.Model) error {
	c := Config{Dir: spec.Dir}
	if err := c.fill(); err != nil {
		return err
	}
	m, err := load(spec.Name, spec, c)
	if err != nil {
		return fmt.Errorf("model folder %s: %w", spec.Dir, err)
	}
	defer m.free()
	return m.try()
}

// probe tries models that are used together, unless they have passed before.
func (w *watcher) probe(ctx context.Context, parts []part, dirs []string) error {
	if w.r.config.Probe == nil {
		return nil
	}
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	memo, state := filepath.Join(w.r.config.Dir, folder.Probed, strings.Join(names, "+")), key(parts)
	if passed, err := os.ReadFile(memo); err == nil && string(passed) == state {
		return nil
	}
	if err := w.r.config.Probe(ctx, dirs...); err != nil {
		return err
	}
	_ = remember(memo, state) // if the folder cannot be written, the next start tries again
	return nil
}

func remember(memo, state string) error {
	if err := os.MkdirAll(filepath.Dir(memo), 0o755); err != nil {
		return err
	}
	temporary := memo + ".new"
	if err := os.WriteFile(temporary, []byte(state), 0o644); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return os.Rename(temporary, memo)
}
