package folder

import (
	"slices"
	"strings"

	"steno/session/asr/sherpa/onnx"
)

// spec specifies how a kind is recognized and what its models must have.
type spec struct {
	kind Kind
	// typ is Model.Type; "*" stands for the model_type of the metadata.
	typ   string
	roles []role // the metadata of the first are the model's
	is    func(parts) bool
	needs []need
	vocab vocabulary
	can   Abilities
	// longest is Model.Longest in seconds.
	longest int
	// languages are those of all models of the kind, if neither the metadata nor the folder's name
	// has any.
	languages string
}

// need lists keys of metadata without which the library ends the process, separated by spaces.
type need struct {
	role  role
	ints  string // integers from 0 on
	lists string // integers, separated by commas
	reals string // numbers, separated by commas
	texts string
	even  bool // all lists have one length, as have all reals
}

// vocabulary specifies what tokens.txt must be like.
type vocabulary struct {
	file    bool // there is one
	gaps    bool // numbers may be missing: the library skips them
	key     string
	extra   int      // tokens beyond the number that key has
	exact   bool     // and no more than that
	shape   role     // the role whose first output has the size as its last dimension, if there is no key
	one     []string // symbols of which one must exist: the blank
	symbols []string // symbols that all must exist
	last    string   // the symbol with the greatest number
}

// parts are the metadata of a model's files. Those in the runtime's own format have none.
type parts map[role]onnx.Info

// has reports whether a part has all the keys, separated by spaces.
func (p parts) has(r role, keys string) bool {
	return !slices.ContainsFunc(strings.Fields(keys), func(key string) bool { return p[r].Metadata[key] == "" })
}

// typed reports whether a part's model_type is one of those given.
func (p parts) typed(r role, types ...string) bool {
	return slices.Contains(types, p[r].Metadata["model_type"])
}

func (p parts) begins(r role, prefix string) bool {
	return strings.HasPrefix(p[r].Metadata["model_type"], prefix)
}

// streams reports whether a part keeps state between calls: it has more inputs than audio and its
// length. Some declare it in their metadata, by any of the keys.
func (p parts) streams(r role, keys string) bool {
	said := slices.ContainsFunc(strings.Fields(keys), func(key string) bool { return p[r].Metadata[key] != "" })
	return said || len(p[r].Inputs) > 2
}

// size returns a dimension of a shape, counted from its end if negative; 0 if it is unknown
// beforehand.
func size(values []onnx.Value, i, axis int) int {
	if i >= len(values) {
		return 0
	}
	shape := values[i].Shape
	if axis < 0 {
		axis += len(shape)
	}
	if axis < 0 || axis >= len(shape) || shape[axis].Size < 0 || shape[axis].Size > 1<<30 {
		return 0
	}
	return int(shape[axis].Size)
}
