package chapters

import (
	"embed"
	"slices"
	"strings"

	"steno/session/addon/sentences"
	"steno/session/addon/summary/terms"
)

// What each evidence is worth, as the logarithm of a likelihood ratio, found with the talks in
// testdata.
const (
	announcedGain = 2.2
	hintedGain    = 0.1
	refersLoss    = 0.8
	pronounLoss   = 0.3
	answersLoss   = 1.6
	emptyLoss     = 1.4
	// forgotten is the silence, in seconds, after which nothing speaks against a new subject.
	forgotten = 2.5
)

//go:embed openings
var openingFiles embed.FS

// openings are the words of a language with which people open a subject or stay with it.
type openings struct {
	// announce are phrases that open a subject, hint those that often do.
	announce, hint [][]string
	// refer are words that need what was said before, pronouns those of them that stand for a thing
	// or a person; particles may precede a phrase.
	refer, pronouns, particles map[string]bool
	// general are the stems of words that are used whatever the subject.
	general map[string]bool
}

// openingsOf reads the words of a language, which are empty for one without a list.
func openingsOf(language string, reader *terms.Reader) *openings {
	o := &openings{refer: map[string]bool{}, pronouns: map[string]bool{}, particles: map[string]bool{},
		general: map[string]bool{}}
	list, err := openingFiles.ReadFile("openings/" + language + ".txt")
	if err != nil {
		return o
	}
	for line := range strings.Lines(string(list)) {
		kind, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch kind {
		case "announce":
			o.announce = append(o.announce, phrasesOf(text)...)
		case "hint":
			o.hint = append(o.hint, phrasesOf(text)...)
		case "refer":
			add(o.refer, text)
		case "pronouns":
			add(o.pronouns, text)
		case "particles":
			add(o.particles, text)
		case "general":
			add(o.general, strings.Join(reader.Stems(text, language), " "))
		}
	}
	return o
}

// habits are the openings of languages, read when they are needed.
type habits struct {
	reader *terms.Reader
	known  map[string]*openings
}

func newHabits(reader *terms.Reader) habits { return habits{reader, map[string]*openings{}} }

func (h habits) in(language string) *openings {
	code := terms.Base(language)
	if h.known[code] == nil {
		h.known[code] = openingsOf(code, h.reader)
	}
	return h.known[code]
}

// phrasesOf reads phrases with commas between; "a/b c" is "a c" and "b c".
func phrasesOf(text string) (all [][]string) {
	for p := range strings.SplitSeq(text, ", ") {
		made := [][]string{nil}
		for field := range strings.FieldsSeq(p) {
			var longer [][]string
			for _, head := range made {
				for choice := range strings.SplitSeq(field, "/") {
					longer = append(longer, append(slices.Clone(head), choice))
				}
			}
			made = longer
		}
		all = append(all, made...)
	}
	return all
}

// prior returns the number of uses of a stem that are assumed before a chapter begins.
func (o *openings) prior(stem string) float64 {
	if o.general[stem] {
		return generalPrior
	}
	return ownPrior
}

func add(set map[string]bool, text string) {
	for w := range strings.FieldsSeq(text) {
		set[w] = true
	}
}

// evidence is what the first words of a sentence indicate about whether a subject begins with it
// (after Passonneau and Litman 1997: cue phrases and referring expressions, beside the pause).
type evidence struct {
	announced bool // a phrase opens a subject
	hinted    bool // a phrase may open one
	refers    bool // its first words need what was said before
	pronoun   bool // so does a pronoun after them
	answers   bool // it follows a question
	empty     bool // it has hardly any content
}

// opening returns by how much the first words of a unit reduce the cost of a chapter that begins
// with it.
func (u *unit) opening() float64 {
	gain, loss := 0.0, 0.0
	e := u.evidence
	for _, x := range []struct {
		found bool
		sum   *float64
		worth float64
	}{
		{e.announced, &gain, announcedGain}, {e.hinted, &gain, hintedGain},
		{e.refers, &loss, refersLoss}, {e.pronoun, &loss, pronounLoss}, {e.answers, &loss, answersLoss},
		{e.empty, &loss, emptyLoss},
	} {
		if x.found {
			*x.sum += x.worth
		}
	}
	return gain - loss*max(0, 1-u.pause/forgotten)
}

// evidence judges a sentence after another one.
func (o *openings) evidence(before, s sentences.Sentence, reader *terms.Reader) evidence {
	words := reader.Of(strings.ReplaceAll(s.Text, "’", "'"), s.Language)
	e := evidence{announced: o.begins(words, o.announce), answers: strings.HasSuffix(before.Text, "?")}
	e.hinted = !e.announced && o.begins(words, o.hint)
	content := 0
	for _, w := range words {
		switch {
		case content == 0 && o.refer[w.Word]:
			e.refers = !e.announced
		case w.Stem != "":
			content++
		}
		if content <= 1 && o.pronouns[w.Word] {
			e.pronoun = true
		}
	}
	e.pronoun = e.pronoun && !e.refers
	e.empty = content < 2
	return e
}

// begins reports whether words begin with one of the phrases, after up to two particles.
func (o *openings) begins(words []terms.Term, phrases [][]string) bool {
	for skipped := 0; ; skipped++ {
		for _, p := range phrases {
			if len(words) >= len(p) && slices.EqualFunc(words[:len(p)], p,
				func(w terms.Term, x string) bool { return w.Word == x }) {
				return true
			}
		}
		if skipped == 2 || len(words) == 0 || !o.particles[words[0].Word] {
			return false
		}
		words = words[1:]
	}
}
