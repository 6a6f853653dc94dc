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

	"steno/session/asr/sherpa/folder"
)

// maxModels bounds the folders that are looked at.
const maxModels = 256

// keeper keeps the models those of the folder. Only its goroutine loads and frees models, and only it uses its fields.
type keeper struct {
	r      *Recognizer
	known  map[string]known // by folder
	parts  map[string]part  // of models that were read, by folder
	failed map[string]bool  // keys of capabilities that could not be loadedCapability
}

// known is what the keeper knows of a folder.
type known struct {
	print   string // of the folder when it was last looked at
	settled bool   // that print has been dealt with
}

func (k *keeper) run(ctx context.Context) {
	ticker := time.NewTicker(k.r.config.Rescan)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.r.vacant:
			k.sweep()
		case <-ticker.C:
			k.scan(ctx, false)
		}
	}
}

// scan takes in what is new and lets go of what is gone. A folder must look the same twice, unless eager: it may be
// being copied.
func (k *keeper) scan(ctx context.Context, eager bool) {
	names, err := k.folders()
	if err != nil {
		k.problem(k.r.config.Dir, err)
		return
	}
	k.solve(k.r.config.Dir)
	for name := range k.known {
		if !slices.Contains(names, name) {
			k.remove(name)
		}
	}
	for _, name := range k.r.config.Models {
		if !slices.Contains(names, name) {
			k.problem(filepath.Join(k.r.config.Dir, name), errNoModel)
		}
	}
	for _, name := range names {
		if ctx.Err() != nil {
			return
		}
		k.look(ctx, name, eager)
	}
	k.arrange(ctx)
}

// folders lists the folders to serve.
func (k *keeper) folders() ([]string, error) {
	entries, err := os.ReadDir(k.r.config.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || !k.wanted(e.Name()) {
			continue
		}
		if stat, err := os.Stat(filepath.Join(k.r.config.Dir, e.Name())); err != nil || !stat.IsDir() {
			continue
		}
		names = append(names, e.Name())
	}
	if len(names) > maxModels {
		return nil, fmt.Errorf("%d folders, more than %d", len(names), maxModels)
	}
	return names, nil
}

func (k *keeper) wanted(name string) bool {
	models := k.r.config.Models
	return len(models) == 0 || slices.Contains(models, name)
}

// look deals with a folder that is there.
func (k *keeper) look(ctx context.Context, name string, eager bool) {
	dir := filepath.Join(k.r.config.Dir, name)
	print, err := fingerprint(dir)
	if err != nil {
		k.problem(dir, err)
		return
	}
	before := k.known[name]
	if print != before.print && !eager {
		k.known[name] = known{print: print}
		return
	}
	if print == before.print && before.settled {
		return
	}
	p := part{name: name, print: print}
	m, err := k.load(ctx, dir, &p)
	if ctx.Err() != nil {
		if m != nil {
			m.free()
		}
		return
	}
	if now, _ := fingerprint(dir); err != nil && now != print {
		return // it is being changed, or removed: it may be good the next time
	}
	k.known[name] = known{print: print, settled: true}
	if err != nil {
		k.problem(dir, err)
		return
	}
	k.solve(dir)
	k.parts[name] = p
	k.replace(name, m)
}

// load loads what is in a folder. It returns nil for a model that recognizes nothing.
func (k *keeper) load(ctx context.Context, dir string, p *part) (*model, error) {
	var err error
	if p.spec, err = folder.Read(dir); err != nil || !p.spec.Kind.Recognizes() {
		return nil, err
	}
	if err := k.probe(ctx, []part{*p}, []string{dir}); err != nil {
		return nil, err
	}
	return load(p.name, p.spec, k.r.config)
}

// replace puts m, which may be nil, in the place of the folder's model, if it had one.
func (k *keeper) replace(name string, m *model) {
	if m != nil {
		m.serve(k.r.slots, k.r.config, k.r.wakeKeeper)
	}
	r := k.r
	r.mu.Lock()
	defer r.mu.Unlock()
	serving := slices.Clone(r.serving)
	if i := slices.IndexFunc(serving, func(m *model) bool { return m.name == name }); i >= 0 {
		serving[i].retire()
		r.retired = append(r.retired, serving[i])
		r.wakeKeeper()
		serving = slices.Delete(serving, i, i+1)
	}
	if m != nil {
		serving = append(serving, m)
	}
	slices.SortFunc(serving, r.prefer)
	r.serving = serving
}

// order puts names of folders in the order of preference.
func (r *Recognizer) order(a, b string) int {
	return cmp.Or(cmp.Compare(slices.Index(r.config.Models, a), slices.Index(r.config.Models, b)), cmp.Compare(a, b))
}

func (r *Recognizer) wakeKeeper() {
	select {
	case r.vacant <- struct{}{}:
	default:
	}
}

// remove lets go of a folder that is gone.
func (k *keeper) remove(name string) {
	delete(k.known, name)
	delete(k.parts, name)
	k.solve(filepath.Join(k.r.config.Dir, name))
	k.replace(name, nil)
}

// sweep frees the retired models that have no utterances any more.
func (k *keeper) sweep() {
	r := k.r
	r.mu.Lock()
	var vacant []*model
	r.retired = slices.DeleteFunc(r.retired, func(m *model) bool {
		if m.isVacant() {
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

// problem notes why a folder is not served, and tells it unless it was told.
func (k *keeper) problem(dir string, err error) {
	r := k.r
	r.mu.Lock()
	told := r.problems[dir]
	r.problems[dir] = err
	r.mu.Unlock()
	if (told == nil || told.Error() != err.Error()) && r.config.OnProblem != nil {
		r.config.OnProblem(dir, err)
	}
}

func (k *keeper) solve(dir string) {
	k.r.mu.Lock()
	defer k.r.mu.Unlock()
	delete(k.r.problems, dir)
}
