package folder

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"steno/session/asr/models"
)

// role is the role of a file in a model.
type role string

const (
	theModel        role = "model" // the one file
	encoder         role = "encoder"
	decoder         role = "decoder"
	joiner          role = "joiner"
	preprocessor    role = "preprocess"
	uncachedDecoder role = "uncached_decode"
	cachedDecoder   role = "cached_decode"
	convFrontend    role = "conv_frontend"
	encoderAdaptor  role = "encoder_adaptor"
	llm             role = "llm"
	embedding       role = "embedding"
)

// spellings are the words of file names that state the role; words that contain others come first.
var spellings = []struct {
	word string
	role role
}{
	{"encoder_adaptor", encoderAdaptor},
	{"conv_frontend", convFrontend},
	{"uncached_decode", uncachedDecoder},
	{"cached_decode", cachedDecoder},
	{"preprocess", preprocessor},
	{"encoder", encoder},
	{"encode", encoder},
	{"decoder", decoder},
	{"joiner", joiner},
	{"embedding", embedding},
	{"llm", llm},
}

// precisions are the parts of file names that state the precision of weights, the preferred first:
// int8 is two to four times as fast on a CPU as full precision, and half precision slower than
// both.
var precisions = []string{"int8", "", "fp16"}

// part is a file of weights.
type part struct {
	name string
	role role
	// stem is the name without role and precision: parts of one model share it.
	stem      string
	precision int // index of precisions
}

// parse splits a file name. It returns false if the file is not one of weights.
func parse(name string) (part, bool) {
	base, ok := strings.CutSuffix(name, ".onnx")
	if !ok {
		base, ok = strings.CutSuffix(name, ".ort")
	}
	if !ok {
		return part{}, false
	}
	p := part{name: name, role: theModel, precision: slices.Index(precisions, "")}
	for i, word := range precisions {
		if rest, ok := cut(base, word); ok && word != "" {
			base, p.precision = rest, i
		}
	}
	p.stem = base
	for _, s := range spellings {
		if rest, ok := cut(base, s.word); ok {
			p.role, p.stem = s.role, rest
			break
		}
	}
	return p, true
}

// cut removes word from a name, if it stands there between punctuation.
func cut(name, word string) (string, bool) {
	for at := 0; ; {
		i := strings.Index(name[at:], word)
		if i < 0 || word == "" {
			return name, false
		}
		i += at
		end := i + len(word)
		if (i == 0 || !letter(name[i-1])) && (end == len(name) || !letter(name[end])) {
			return strings.Trim(strings.TrimRight(name[:i], "-_.")+"-"+strings.TrimLeft(name[end:], "-_."), "-"), true
		}
		at = end
	}
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' }

// layouts are the roles of models of more than one file. The first with a marker among the files is
// the model's.
var layouts = []struct {
	marker []role // any of them
	roles  []role
}{
	{[]role{convFrontend}, []role{convFrontend, encoder, decoder}},
	{[]role{encoderAdaptor, llm}, []role{encoderAdaptor, llm, embedding}},
	{[]role{preprocessor, uncachedDecoder, cachedDecoder}, []role{preprocessor, encoder, uncachedDecoder,
		cachedDecoder}},
	{[]role{joiner}, []role{encoder, decoder, joiner}},
	{[]role{encoder, decoder}, []role{encoder, decoder}},
}

// choose picks the files of one model: for each role the one of the preferred precision.
func choose(names []string) (map[role]string, error) {
	found := map[role][]part{}
	var all []part
	plain := slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, ".onnx") })
	for _, name := range names {
		// .ort only where there is nothing else
		if p, ok := parse(name); ok && plain == strings.HasSuffix(name, ".onnx") {
			found[p.role] = append(found[p.role], p)
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no .onnx file")
	}
	for _, l := range layouts {
		if slices.ContainsFunc(l.marker, func(r role) bool { return found[r] != nil }) {
			return chooseSet(l.roles, found)
		}
	}
	return chooseSingle(all)
}

// chooseSet picks the files of a model that has one of each role.
func chooseSet(roles []role, found map[role][]part) (map[role]string, error) {
	var missing []string
	stems := map[string]int{}
	single := true // every role has files of one stem only
	for _, r := range roles {
		own := map[string]bool{}
		for _, p := range found[r] {
			own[p.stem] = true
		}
		for stem := range own {
			stems[stem]++
		}
		single = single && len(own) == 1
		if len(own) == 0 {
			missing = append(missing, string(r))
		}
	}
	if missing != nil {
		return nil, fmt.Errorf("a model of %v, and there is no %s", roles, strings.Join(missing, ", no "))
	}
	whole := slices.DeleteFunc(slices.Sorted(maps.Keys(stems)), func(s string) bool { return stems[s] < len(roles) })
	if len(whole) != 1 && !single {
		return nil, fmt.Errorf("several models of %v (%d complete): leave the files of one, or name them in %s", roles,
			len(whole), models.ManifestName)
	}
	chosen := map[role]string{}
	for _, r := range roles {
		chosen[r] = best(found[r], func(p part) bool { return len(whole) != 1 || p.stem == whole[0] })
	}
	return chosen, nil
}

// chooseSingle picks the file of a model of one file. If there are two different ones, it returns
// both, in the roles of a diarization model.
func chooseSingle(all []part) (map[role]string, error) {
	stems := map[string][]part{}
	for _, p := range all {
		key := string(p.role) + p.stem
		stems[key] = append(stems[key], p)
	}
	any := func(part) bool { return true }
	keys := slices.Sorted(maps.Keys(stems))
	switch len(keys) {
	case 1:
		return map[role]string{theModel: best(stems[keys[0]], any)}, nil
	case 2:
		return map[role]string{first: best(stems[keys[0]], any), second: best(stems[keys[1]], any)}, nil
	}
	return nil, fmt.Errorf("%d different models: leave the files of one, or name them in %s", len(keys),
		models.ManifestName)
}

// first and second are two single files; their metadata distinguish them.
const (
	first  role = "first"
	second role = "second"
)

// best returns the name of the file of the preferred precision among those that fit.
func best(parts []part, fits func(part) bool) string {
	found := part{precision: len(precisions)}
	for _, p := range parts {
		if fits(p) && p.precision < found.precision {
			found = p
		}
	}
	return found.name
}
