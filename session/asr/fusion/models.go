package fusion

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"steno/session/asr"
)

// Models implements [asr.Lister]: one model with every language of the members. Members that list
// no models add none. If a member is away the error is ErrUnavailable, so that the list does not
// shrink for a moment.
func (r *Recognizer) Models(ctx context.Context) ([]asr.Model, error) {
	names := make([]string, len(r.members))
	whole := asr.Model{Detects: true}
	for i, m := range r.members {
		names[i] = m.Name
		lister, ok := m.Recognizer.(asr.Lister)
		if !ok {
			continue
		}
		models, err := lister.Models(ctx)
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("fusion: models of %s: %w", m.Name, err)
		}
		detects := false
		for _, model := range models {
			detects = detects || model.Detects
			whole.Context = whole.Context || model.Context
			whole.Languages = append(whole.Languages, model.Languages...)
		}
		whole.Detects = whole.Detects && detects
	}
	if whole.Languages == nil {
		return nil, errors.New("fusion: no member tells its languages")
	}
	slices.Sort(whole.Languages)
	whole.Languages = slices.Compact(whole.Languages)
	whole.Name = title(names)
	return []asr.Model{whole}, nil
}
