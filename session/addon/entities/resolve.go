package entities

import (
	"cmp"
	"slices"
)

// candidate is what one recogniser took for an entity: the tokens [from,to). An empty value: their normal form.
type candidate struct {
	kind     string
	from, to int
	weight   weight
	value    string
	// doubt is 1 for what gives way to anything else; else 0.
	doubt int
}

// weight says how sure a recogniser is; it decides between candidates of the same length.
type weight int

const (
	listed  weight = iota // it stands in a word list
	formed                // it has the form
	cued                  // the words around say so
	checked               // a checksum says so
)

// candidates runs every recogniser that gives one of the types.
func (t *text) candidates(types map[string]bool) []candidate {
	var list []candidate
	finders := recognisers(t.english)
	if types["DAY"] || types["MONTH"] || types["YEAR"] {
		finders = append(finders, dateParts)
	}
	for _, find := range finders {
		for _, c := range find(t) {
			if (types == nil || types[c.kind]) && c.from < c.to {
				list = append(list, c)
			}
		}
	}
	return list
}

func recognisers(english bool) []func(*text) []candidate {
	list := []func(*text) []candidate{
		mails, urls, addresses4, filenames, cards, phones, socials, ibans, routings, vehicles, codes, handles,
		writtenDates, writtenTimes, writtenMoney, percents, writtenCodes, cased,
	}
	if english {
		list = append(list, spokenDates, spokenTimes, spokenMoney, quantities, ages, expiries, secrets, numerals,
			streets, zips, coordinates, names, places, organizations, traits, injuries, bloods)
	}
	return list
}

// resolve keeps candidates that do not overlap, in order: longer ones first, then weightier ones, then those of the
// kind with the smaller name.
func resolve(t *text, list []candidate) []candidate {
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(a.doubt-b.doubt, cmp.Compare(b.to-b.from, a.to-a.from), cmp.Compare(b.weight, a.weight),
			cmp.Compare(a.from, b.from), cmp.Compare(a.kind, b.kind), cmp.Compare(a.value, b.value))
	})
	taken := make([]bool, t.count)
	var kept []candidate
	for _, c := range list {
		from, to := t.words(c)
		if slices.Contains(taken[from:to], true) {
			continue
		}
		for i := from; i < to; i++ {
			taken[i] = true
		}
		kept = append(kept, c)
	}
	slices.SortFunc(kept, func(a, b candidate) int { return cmp.Compare(a.from, b.from) })
	return kept
}
