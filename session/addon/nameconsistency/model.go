package nameconsistency

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"steno/session/addon/llm"
)

// Name is one that a transcript spells in several ways.
type Name struct {
	Name     string // the spelling to keep; it occurs in the transcript
	Variants []string
}

const (
	maxNames    = 100 // in one piece
	maxVariants = 20
	maxName     = 200 // characters
	maxMerged   = 500 // names of a whole transcript
)

// FromModel finds the names that a transcript spells in several ways. All spellings occur in it: a
// name that only the model knows does not get in.
func FromModel(ctx context.Context, c *llm.Client, t llm.Transcript) ([]Name, error) {
	pieces, err := c.Pieces(t.Sentences)
	if err != nil {
		return nil, err
	}
	parts, err := llm.Gather(ctx, c, pieces, func(ctx context.Context, p llm.Piece) ([]Name,
		error) {
		return pieceNames(ctx, c, p)
	})
	if err != nil {
		return nil, err
	}
	return merged(slices.Concat(parts...)), nil
}

func pieceNames(ctx context.Context, c *llm.Client, p llm.Piece) ([]Name, error) {
	said := &llm.Task{Name: "names",
		Says: "Find names of people, places, organizations and products that the transcript spells in more than " +
			"one way, by mistakes of recognition. For each tell the best of its spellings as name, and the others " +
			"as variants, all exactly as they stand. None if all is consistent.",
		Schema: llm.Fields(llm.Object{"names": llm.List(llm.Fields(llm.Object{"name": llm.Text(),
			"variants": llm.List(llm.Text(), maxVariants)}), maxNames)})}
	var found []Name
	_, err := llm.Do(ctx, c, said, llm.Object{"sentences": p}, func(a *struct{ Names []Name }) error {
		found = nil
		for _, n := range a.Names {
			n.Variants = slices.DeleteFunc(n.Variants, func(v string) bool { return v == n.Name || !occurs(p, v) })
			if occurs(p, n.Name) && len(n.Variants) > 0 {
				found = append(found, n)
			}
		}
		if len(a.Names) > 0 && len(found) == 0 {
			return errors.New("names and variants must occur in the sentences, letter by letter")
		}
		return nil
	})
	return found, err
}

// occurs reports whether a spelling occurs.
func occurs(p llm.Piece, spelling string) bool {
	return llm.Within(spelling, maxName) && slices.ContainsFunc(p, func(it llm.Item) bool {
		return llm.Occurrence(it.Text, spelling, func(int, int) bool { return true }) >= 0
	})
}

// merged has each name once, and no name or variant as the variant of another that came before.
func merged(names []Name) []Name {
	var all []Name
	keeps := make(map[string]string) // what each spelling became
	for _, n := range names {
		name := cmp.Or(keeps[n.Name], n.Name)
		i := slices.IndexFunc(all, func(o Name) bool { return o.Name == name })
		if i < 0 && len(all) == maxMerged {
			break
		}
		if i < 0 {
			all = append(all, Name{Name: name})
			i = len(all) - 1
			keeps[name] = name
		}
		for _, v := range n.Variants {
			if keeps[v] == "" {
				keeps[v] = name
				all[i].Variants = append(all[i].Variants, v)
			}
		}
	}
	return slices.DeleteFunc(all, func(n Name) bool { return len(n.Variants) == 0 })
}
