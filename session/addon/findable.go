package addon

import (
	"maps"
	"slices"

	"steno/messages"
	"steno/session/addon/entities"
	"steno/session/addon/redact"
)

// EntityTypes are the types of entities that pii_redaction hides in these ways, and those it does not find, both sorted.
func (w Ways) EntityTypes() (found, unable []string) {
	found, unable = entities.Implemented(), entities.NeedsModel()
	if w.Confide == nil {
		return found, unable
	}
	return slices.Sorted(slices.Values(append(found, unable...))), nil
}

// Findable tells whether these ways can find anything at all of what a configuration wants hidden. Wide types and groups
// count by what is in them.
func (w Ways) Findable(c messages.PIIRedactionConfig) bool {
	found, _ := w.EntityTypes()
	return slices.ContainsFunc(slices.Collect(maps.Keys(redact.Types(c))), func(name string) bool { return slices.Contains(found, name) })
}
