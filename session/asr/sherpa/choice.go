package sherpa

import (
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"steno/session/asr"
)

// choice is the models for an utterance. If partials is nil there are none; if both are the same
// model it returns both.
type choice struct {
	language        string // of the utterance; empty: to be detected
	partials, final *model
}

func (r *Recognizer) choose(p asr.Params) (choice, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return choice{}, errClosed
	}
	c, ok := choose(r.serving, p)
	if !ok {
		return choice{}, fmt.Errorf("sherpa: %q: %w", p.Language, asr.ErrLanguage)
	}
	return c, nil
}

// choose picks the models for a language, the preferred first. If the language is unknown a model
// that detects it decodes the final; partials come only from a model that has every language in
// question, since partials in a wrong language are worse than none. If none detects, the language
// is the first of those wanted that some model has, or the first of the first model.
func choose(models []*model, p asr.Params) (choice, bool) {
	language := p.Language
	if language == "" && len(p.Languages) == 1 {
		language = p.Languages[0]
	}
	if language == "" {
		if c, ok := detect(models, p.Languages); ok {
			return c, true
		}
		if language = anyOf(models, p.Languages); language == "" {
			return choice{}, false
		}
	}
	c := choice{
		language: language,
		partials: find(models, func(m *model) bool { return m.online != nil && m.has(language) }),
		final:    find(models, func(m *model) bool { return m.offline != nil && m.has(language) }),
	}
	if c.final == nil {
		c.final = c.partials
	}
	return c, c.final != nil
}

// detect picks the models where one is to detect the language.
func detect(models []*model, among []string) (choice, bool) {
	final := find(models, func(m *model) bool {
		return m.spec.Can.Detect && (len(among) == 0 || slices.ContainsFunc(among, m.has))
	})
	if final == nil {
		return choice{}, false
	}
	if len(among) == 0 {
		among = final.spec.Languages
	}
	partials := find(models, func(m *model) bool {
		return m.online != nil && !slices.ContainsFunc(among, func(code string) bool { return !m.has(code) })
	})
	if final.online != nil {
		partials = final
	}
	return choice{partials: partials, final: final}, true
}

// anyOf returns the first of the wanted languages that some model has; with none wanted, the first
// of the first model.
func anyOf(models []*model, wanted []string) string {
	for _, m := range models {
		if len(wanted) == 0 && len(m.spec.Languages) > 0 {
			return m.spec.Languages[0]
		}
	}
	for _, code := range wanted {
		if find(models, func(m *model) bool { return m.has(code) }) != nil {
			return code
		}
	}
	return ""
}

func (m *model) has(language string) bool { return slices.Contains(m.spec.Languages, language) }

func find(models []*model, fits func(*model) bool) *model {
	if i := slices.IndexFunc(models, fits); i >= 0 {
		return models[i]
	}
	return nil
}

// prefer compares models by preference: in the configuration's order, else those for fewer
// languages first, then the larger, then by name.
func (r *Recognizer) prefer(a, b *model) int {
	return cmp.Or(
		cmp.Compare(slices.Index(r.config.Models, a.name), slices.Index(r.config.Models, b.name)),
		cmp.Compare(len(a.spec.Languages), len(b.spec.Languages)),
		cmp.Compare(b.bytes, a.bytes),
		cmp.Compare(a.name, b.name),
	)
}

// weights returns the size of the model files in a folder. Files that cannot be read count as
// nothing, since the size only orders models.
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
