package sherpa

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"steno/session/asr"
	"steno/session/asr/sherpa/capabilities"
	"steno/session/asr/sherpa/folder"
)

// part is a folder's model with the state of the folder that it was read from.
type part struct {
	name, print string
	spec        folder.Model
}

// loadedCapability is a capability and the models it is made of.
type loadedCapability struct {
	parts []part
	capability
}

// key identifies a capability by its parts.
func key(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&b, "%s %s %s\n", p.name, p.print, p.spec.Kind)
	}
	return b.String()
}

// combine returns which models make which capabilities. parts are in order of preference.
func combine(parts []part) [][]part {
	var out [][]part
	first := map[folder.Kind][]part{}
	for _, p := range parts {
		kind := p.spec.Kind
		switch {
		case kind == folder.Punctuation, kind == folder.OnlinePunctuation:
			out = append(out, []part{p})
		case first[kind] == nil:
			first[kind] = []part{p}
		}
	}
	if both := slices.Concat(first[folder.Segmentation], first[folder.Embedding]); len(both) == 2 &&
		first[folder.Diarization] == nil {
		first[folder.Diarization] = both
	}
	for _, kind := range []folder.Kind{folder.Denoiser, folder.Diarization} {
		if first[kind] != nil {
			out = append(out, first[kind])
		}
	}
	if i := slices.IndexFunc(parts, func(p part) bool { return p.spec.Can.Identify }); i >= 0 {
		out = append(out, parts[i:i+1])
	}
	return out
}

// newCapability loads the capability that the parts make.
func newCapability(parts []part, threads int) (capability, error) {
	spec := parts[0].spec
	switch {
	case spec.Kind == folder.Punctuation, spec.Kind == folder.OnlinePunctuation:
		return capabilities.NewPunctuator(spec, threads)
	case spec.Kind == folder.Denoiser:
		return capabilities.NewDenoiser(spec, threads)
	case spec.Kind == folder.Diarization, spec.Kind == folder.Segmentation:
		return capabilities.NewDiarizer(spec, parts[len(parts)-1].spec, threads)
	}
	return &identifier{spec: spec, threads: threads}, nil
}

// probeCapability runs a capability once.
func probeCapability(ctx context.Context, a capability) error {
	second := make([]int16, asr.Rate)
	switch a := a.(type) {
	case asr.Punctuator:
		_, err := a.Punctuate(ctx, "", "how are you")
		return err
	case asr.Diarizer:
		_, err := a.Diarize(ctx, second, asr.Speakers{})
		return err
	case asr.Denoiser:
		d, err := a.Denoise(ctx)
		if err != nil {
			return err
		}
		if _, err = d.Write(second); err != nil {
			return err
		}
		_, err = d.Close()
		return err
	}
	return nil
}

// arrange loads the capabilities that the parts make, and frees those that they do not make any
// more.
func (w *watcher) arrange(ctx context.Context) {
	parts := slices.SortedFunc(maps.Values(w.parts), func(a, b part) int { return w.r.order(a.name, b.name) })
	var next []loadedCapability
	have := map[string]loadedCapability{}
	for _, m := range w.r.capabilities {
		have[key(m.parts)] = m
	}
	for _, parts := range combine(parts) {
		id := key(parts)
		m, ok := have[id]
		if !ok && w.failed[id] {
			continue
		}
		if !ok {
			m, ok = w.make(ctx, parts)
		}
		if ok {
			next = append(next, m)
			delete(have, id)
		} else if ctx.Err() == nil {
			w.failed[id] = true
		}
	}
	w.r.mu.Lock()
	w.r.capabilities = next
	w.r.mu.Unlock()
	for _, m := range have {
		_ = m.Close() // there is nothing to report it to
	}
}

func (w *watcher) make(ctx context.Context, parts []part) (loadedCapability, bool) {
	var dirs []string
	for _, p := range parts {
		dirs = append(dirs, filepath.Join(w.r.config.Dir, p.name))
	}
	var a capability
	err := w.probe(ctx, parts, dirs)
	if err == nil {
		a, err = newCapability(parts, w.r.config.Threads)
	}
	if err != nil && ctx.Err() == nil {
		w.problem(dirs[0], err)
	}
	return loadedCapability{parts, a}, err == nil
}
