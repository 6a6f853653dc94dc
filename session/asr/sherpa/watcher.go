package sherpa

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"steno/session/asr/models"
	"steno/session/asr/sherpa/folder"
)

// maxModels bounds the number of folders.
const maxModels = 256

// watcher keeps the loaded models in step with the folder. Its goroutine alone loads and frees
// models, and uses its fields.
type watcher struct {
	r      *Recognizer
	states map[string]folderState // by folder
	parts  map[string]part        // of models that were read, by folder
	failed map[string]bool        // keys of capabilities that could not be loaded
}

// folderState is what the watcher knows of a folder.
type folderState struct {
	print   string // fingerprint when it was last looked at
	settled bool   // that fingerprint has been dealt with
}

func (w *watcher) run(ctx context.Context) {
	ticker := time.NewTicker(w.r.config.Rescan)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			w.scan(ctx, false)
			w.sweep()
		}
	}
}

// scan loads new models and frees removed ones. A folder must look the same twice, unless eager is
// set: it may be being copied.
func (w *watcher) scan(ctx context.Context, eager bool) {
	names, err := w.folders()
	if err != nil {
		w.problem(w.r.config.Dir, err)
		return
	}
	w.solve(w.r.config.Dir)
	for name := range w.states {
		if !slices.Contains(names, name) {
			w.remove(name)
		}
	}
	for _, name := range w.r.config.Models {
		if !slices.Contains(names, name) {
			w.problem(filepath.Join(w.r.config.Dir, name), errNoModel)
		}
	}
	for _, name := range names {
		if ctx.Err() != nil {
			return
		}
		w.look(ctx, name, eager)
	}
	w.arrange(ctx)
}

// folders returns the names of the folders to serve. Those of Moonshine with a merged decoder
// belong to another engine.
func (w *watcher) folders() ([]string, error) {
	entries, err := os.ReadDir(w.r.config.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || !w.wanted(e.Name()) {
			continue
		}
		dir := filepath.Join(w.r.config.Dir, e.Name())
		if stat, err := os.Stat(dir); err != nil || !stat.IsDir() || models.IsMoonshine(dir) {
			continue
		}
		names = append(names, e.Name())
	}
	if len(names) > maxModels {
		return nil, fmt.Errorf("%d folders, more than %d", len(names), maxModels)
	}
	return names, nil
}

func (w *watcher) wanted(name string) bool {
	models := w.r.config.Models
	return len(models) == 0 || slices.Contains(models, name)
}

// look deals with a folder that exists.
func (w *watcher) look(ctx context.Context, name string, eager bool) {
	dir := filepath.Join(w.r.config.Dir, name)
	print, err := fingerprint(dir)
	if err != nil {
		w.problem(dir, err)
		return
	}
	before := w.states[name]
	if print != before.print && !eager {
		w.states[name] = folderState{print: print}
		return
	}
	if print == before.print && before.settled {
		return
	}
	p := part{name: name, print: print}
	m, err := w.load(ctx, dir, &p)
	if ctx.Err() != nil {
		if m != nil {
			m.free()
		}
		return
	}
	if now, _ := fingerprint(dir); err != nil && now != print {
		return // it is being changed or removed: the next scan looks again
	}
	w.states[name] = folderState{print: print, settled: true}
	if err != nil {
		w.problem(dir, err)
		return
	}
	w.solve(dir)
	w.parts[name] = p
	w.replace(name, m)
}

// load loads the model in a folder. It returns nil for a model that does not recognize speech.
func (w *watcher) load(ctx context.Context, dir string, p *part) (*model, error) {
	var err error
	if p.spec, err = folder.Read(dir); err != nil || !p.spec.Kind.Recognizes() {
		return nil, err
	}
	if err := w.probe(ctx, []part{*p}, []string{dir}); err != nil {
		return nil, err
	}
	return load(p.name, p.spec, w.r.config)
}

// replace puts m, which may be nil, in the place of the folder's model, if there was one.
func (w *watcher) replace(name string, m *model) {
	if m != nil {
		m.serve(w.r.slots, w.r.config)
	}
	r := w.r
	r.mu.Lock()
	defer r.mu.Unlock()
	serving := slices.Clone(r.serving)
	if i := slices.IndexFunc(serving, func(m *model) bool { return m.name == name }); i >= 0 {
		serving[i].retire()
		r.retired = append(r.retired, serving[i])
		serving = slices.Delete(serving, i, i+1)
	}
	if m != nil {
		serving = append(serving, m)
	}
	slices.SortFunc(serving, r.prefer)
	r.serving = serving
}

// order compares names of folders by preference.
func (r *Recognizer) order(a, b string) int {
	return cmp.Or(cmp.Compare(slices.Index(r.config.Models, a), slices.Index(r.config.Models, b)), cmp.Compare(a, b))
}

// remove frees the model of a removed folder.
func (w *watcher) remove(name string) {
	delete(w.states, name)
	delete(w.parts, name)
	w.solve(filepath.Join(w.r.config.Dir, name))
	w.replace(name, nil)
}

// sweep frees the retired models that have no utterances any more.
func (w *watcher) sweep() {
	r := w.r
	r.mu.Lock()
	var vacant []*model
	r.retired = slices.DeleteFunc(r.retired, func(m *model) bool {
		if _, open, _ := m.figures(); open == 0 {
			vacant = append(vacant, m)
			return true
		}
		return false
	})
	r.mu.Unlock()
	for _, m := range vacant {
		m.close()
	}
}

// problem keeps why a folder is not served, and reports it unless it was reported before.
func (w *watcher) problem(dir string, err error) {
	r := w.r
	r.mu.Lock()
	told := r.problems[dir]
	r.problems[dir] = err
	r.mu.Unlock()
	if (told == nil || told.Error() != err.Error()) && r.config.OnProblem != nil {
		r.config.OnProblem(dir, err)
	}
}

func (w *watcher) solve(dir string) {
	w.r.mu.Lock()
	defer w.r.mu.Unlock()
	delete(w.r.problems, dir)
}
