package addon

import (
	"cmp"
	"context"
	"slices"
	"time"

	"steno/messages"
	"steno/session/addon/remote"
)

// named is the wrapper of what a job's utterances speak of. Names are looked for in what may be told; what was hidden is
// listed beside them by what stands in its place. It tells the first failure beside what there is: also that of a model
// that was to find what to hide, which has no wrapper of its own.
func (r *Recorded) named(ctx context.Context, h hidden) *messages.AddonResult[messages.List[messages.Entity]] {
	began := time.Now()
	failed := h.failed
	var found [][]messages.Entity
	switch {
	case !r.request.NamedEntityRecognition:
	case r.ways.Entities == nil:
		failed = cmp.Or(failed, Unavailable(entity))
	default:
		var err error
		found, err = several(ctx, r.ways.Afterwards, h.utterances, r.ways.Entities)
		failed = cmp.Or(failed, remote.Addon(err))
	}
	var all messages.List[messages.Entity]
	for i, list := range found {
		if h.entities != nil {
			list = beside(r.tellable(list), h.entities[i])
		}
		all = append(all, list...)
	}
	return wrap(began, all, len(all) == 0, failed)
}

// tellable leaves out what is of a type that was to be hidden: a model found it where what hides did not.
func (r *Recorded) tellable(found []messages.Entity) []messages.Entity {
	secret := func(f messages.Entity) bool { return r.redactor.Hides(f.EntityType) }
	return slices.DeleteFunc(slices.Clone(found), secret)
}

// beside are an utterance's entities and those that were hidden in it, by time. One found in what stands for a hidden one
// is none.
func beside(found, hidden []messages.Entity) []messages.Entity {
	list := slices.Clone(hidden)
	for _, f := range found {
		if !slices.ContainsFunc(hidden, func(h messages.Entity) bool { return f.Start < h.End && h.Start < f.End }) {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b messages.Entity) int { return cmp.Compare(a.Start, b.Start) })
	return list
}
