package sherpa

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"steno/session/asr/engine/sherpa/folder"
)

// probedDir is the folder, in that of the models, that remembers which of them passed a trial.
const probedDir = ".probed"

// Probe loads the model in dir and runs it on a second of silence. The library may end the process over a bad model, so
// this is for a process of its own.
func Probe(ctx context.Context, dir string) error {
	if !supported {
		return errUnsupported
	}
	spec, err := folder.Read(dir)
	if err != nil {
		return err
	}
	var c Config
	c.Dir = dir
	if err := c.fill(); err != nil {
		return err
	}
	if !spec.Kind.Recognizes() {
		return nil
	}
	m, err := load(filepath.Base(dir), spec, c)
	if err != nil {
		return fmt.Errorf("model folder %s: %w", dir, err)
	}
	defer m.free()
	m.try()
	return ctx.Err()
}

// probe has a folder tried, unless it passed already.
func (k *keeper) probe(ctx context.Context, name, dir, print string) error {
	if k.r.config.Probe == nil {
		return nil
	}
	memo := filepath.Join(k.r.config.Dir, probedDir, name)
	if passed, err := os.ReadFile(memo); err == nil && string(passed) == print {
		return nil
	}
	if err := k.r.config.Probe(ctx, dir); err != nil {
		return err
	}
	_ = remember(memo, print) // a folder that cannot be written to is tried again at the next start
	return nil
}

func remember(memo, print string) error {
	if err := os.MkdirAll(filepath.Dir(memo), 0o755); err != nil {
		return err
	}
	temporary := memo + ".new"
	if err := os.WriteFile(temporary, []byte(print), 0o644); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return os.Rename(temporary, memo)
}
