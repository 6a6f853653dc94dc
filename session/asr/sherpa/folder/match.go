package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"steno/session/asr/sherpa/onnx"
)

// Defaults of the library's feature extractor.
const (
	defaultRate      = 16000 // Hz
	defaultDimension = 80
)

// recognize determines what the folder holds, and checks all of it.
func (l *listing) recognize() (Model, error) {
	chosen, err := choose(l.names)
	if err != nil {
		return Model{}, errors.Join(append(l.found, err)...)
	}
	p := l.open(chosen)
	if _, two := chosen[second]; two && len(p) == 2 {
		return l.diarization(chosen, p)
	}
	if _, ok := p[mainRole(chosen)]; !ok || chosen[second] != "" { // nothing can be checked without the main file
		return Model{}, errors.Join(l.found...)
	}
	s, err := l.match(chosen, p)
	if err != nil {
		return Model{}, errors.Join(append(l.found, err)...)
	}
	return l.build(s, chosen, p)
}

// open reads the metadata of the files.
func (l *listing) open(chosen map[role]string) parts {
	p := parts{}
	for _, r := range slices.Sorted(maps.Keys(chosen)) {
		name := chosen[r]
		path, err := l.file(name, maxModel)
		if err != nil {
			l.fault(name, err)
			continue
		}
		if filepath.Ext(name) == ".ort" {
			if err := runtimeFormat(path); err != nil {
				l.fault(name, err)
			}
			p[r] = onnx.Info{}
			continue
		}
		info, err := onnx.Read(path)
		if err != nil {
			l.fault(name, cause(err))
			continue
		}
		l.external(name, info)
		p[r] = info
	}
	return p
}

// cause returns err without the path, which the caller adds.
func cause(err error) error {
	if inner := errors.Unwrap(err); inner != nil && strings.HasPrefix(err.Error(), "model ") {
		return inner
	}
	return err
}

// external checks the other files that hold a model's weights.
func (l *listing) external(name string, info onnx.Info) {
	for _, file := range info.External {
		if _, err := l.file(file, maxModel); err != nil {
			l.fault(name, fmt.Errorf("its weights in %s: %w", file, err))
		}
	}
}

// runtimeFormat checks that a file is in the runtime's own format: a flatbuffer with this
// identifier, see onnxruntime/core/flatbuffers/schema/ort.fbs.
func runtimeFormat(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return withoutPath(err)
	}
	defer file.Close() //nolint:errcheck // only read
	var head [8]byte
	if _, err := io.ReadFull(file, head[:]); err != nil || !bytes.Equal(head[4:], []byte("ORTM")) {
		return errors.New("no model in the runtime's format")
	}
	return nil
}

// match returns the kind of the model: the first that fits the files, and the manifest if that
// names a kind.
func (l *listing) match(chosen map[role]string, p parts) (spec, error) {
	named := Kind(l.manifest.Kind)
	var known bool
	for _, s := range kinds() {
		known = known || s.kind == named
		if l.fits(s, chosen) && s.is(p) && (named == "" || s.kind == named) {
			return s, nil
		}
	}
	if err := lacking(chosen, p); err != nil {
		return spec{}, err
	}
	main := chosen[mainRole(chosen)]
	typ := p[mainRole(chosen)].Metadata["model_type"]
	switch {
	case named != "" && !known:
		return spec{}, fmt.Errorf("model.json: kind: %q is unknown", named)
	case named != "":
		return spec{}, fmt.Errorf("%s: not a model of the kind %q that model.json names (model_type %q)", main,
			named, typ)
	case typ == "":
		return spec{}, fmt.Errorf("%s: its metadata have no model_type and tell of no kind that is known here", main)
	}
	return spec{}, fmt.Errorf("%s: its model_type %q is of no kind that is known here", main, typ)
}

// lacking returns an error that names the missing files, if the files are a part of those of a
// kind.
func lacking(chosen map[role]string, p parts) error {
	for _, s := range kinds() {
		var missing []string
		for _, r := range s.roles {
			if chosen[r] == "" {
				missing = append(missing, string(r))
			}
		}
		if len(s.roles)-len(missing) == len(chosen) && chosen[s.roles[0]] != "" && s.is(p) && missing != nil {
			return fmt.Errorf("%s: of the kind %s, and there is no %s", chosen[s.roles[0]], s.kind,
				strings.Join(missing, ", no "))
		}
	}
	return nil
}

// fits reports whether the files are those of the kind.
func (l *listing) fits(s spec, chosen map[role]string) bool {
	if len(s.roles) != len(chosen) {
		return false
	}
	return !slices.ContainsFunc(s.roles, func(r role) bool { return chosen[r] == "" })
}

// mainRole is the role of the file that determines the kind.
func mainRole(chosen map[role]string) role {
	for _, r := range []role{theModel, first, encoder, encoderAdaptor} {
		if chosen[r] != "" {
			return r
		}
	}
	return ""
}

// build checks the model against its kind's needs and describes it.
func (l *listing) build(s spec, chosen map[role]string, p parts) (Model, error) {
	main := p[s.roles[0]]
	m := Model{
		Name: l.name(), Dir: l.dir, Kind: s.kind, Type: s.typ, Can: s.can, Rate: defaultRate,
		Dimension: defaultDimension,
		Longest:   s.longest * defaultRate, manifest: l.manifest,
	}
	if m.Type == "*" {
		m.Type = main.Metadata["model_type"]
	}
	for _, r := range s.roles {
		m.Files.set(r, filepath.Join(l.dir, chosen[r]))
	}
	for _, n := range s.needs {
		if info, ok := p[n.role]; ok {
			l.metadata(chosen[n.role], info.Metadata, n)
		}
	}
	l.details(&m, p, chosen)
	tokens := l.tokens(s, &m, p)
	l.unit(&m, tokens)
	l.languages(s, &m, p)
	if len(l.found) > 0 {
		return Model{}, errors.Join(l.found...)
	}
	return m, nil
}

func (l *listing) name() string {
	if l.manifest.Name != "" {
		return l.manifest.Name
	}
	return filepath.Base(l.dir)
}

// set sets the field for a role.
func (f *Files) set(r role, path string) {
	to := map[role]*string{
		theModel: &f.Model, encoder: &f.Encoder, decoder: &f.Decoder, joiner: &f.Joiner, preprocessor: &f.Preprocessor,
		uncachedDecoder: &f.UncachedDecoder, cachedDecoder: &f.CachedDecoder,
		convFrontend: &f.ConvFrontend, encoderAdaptor: &f.EncoderAdaptor, llm: &f.LLM,
		embedding: &f.Embedding,
	}[r]
	*to = path
}
