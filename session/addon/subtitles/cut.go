package subtitles

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/session/addon/sentences"
)

// Costs of ending a row or a caption after a token. The unit is the cost of one more caption.
const (
	afterSentence  = 0.0
	afterClause    = 0.6
	afterPause     = 0.8 // of at least pauseLength
	beforeBinder   = 1.2 // a conjunction or preposition
	betweenSigns   = 1.6 // in a script without spaces
	betweenWords   = 2.0
	afterBinder    = 3.6 // between an article and its noun, for example
	withinWord     = 6.0
	beforeMark     = 9.0 // punctuation must not begin a row
	pauseLength    = 300 // ms
	sentenceInside = 0.7 // a caption holds the end of a sentence and the beginning of the next
)

// cutCost returns the cost of ending a row or caption between the tokens a and b.
func cutCost(a, b token, language string) float64 {
	last := lastRune(strings.TrimRightFunc(a.text, closes))
	switch {
	case strings.IndexFunc(b.text, func(r rune) bool { return !unicode.IsPunct(r) }) < 0 && lastRune(b.text) != '-':
		return beforeMark
	case a.ends:
		return afterSentence
	case strings.ContainsRune(",;:，、；：،؛–—", last):
		return afterClause
	case b.glued && ideographic(last):
		return betweenSigns
	case b.glued:
		return withinWord
	case sentences.Leads(language, a.text):
		return afterBinder
	case b.start-a.end >= pauseLength:
		return afterPause
	case binds(a.text, language):
		return afterBinder
	case binds(b.text, language):
		return beforeBinder
	}
	return betweenWords
}

func closes(r rune) bool { return r == '"' || r == '\'' || unicode.In(r, unicode.Pe, unicode.Pf) }

func lastRune(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}

func ideographic(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// binders lists the articles, prepositions, conjunctions and possessives of a language: words that
// belong to the next word.
func binders(language string) string {
	switch language {
	case "en":
		return " a an the of to in on at by for from with and or but nor as if that which who than into onto my " +
			"your his her its our their this these those very not no is are was were be been has have had will " +
			"would can could i you he she it we they "
	case "fr":
		return " le la les un une des du de à au aux en dans sur pour par avec sans et ou mais que qui si mon ma " +
			"mes ton ta tes son sa ses ce cette ces ne "
	case "de":
		return " der die das den dem des ein eine einen einem einer eines in im an am auf aus bei mit nach von vom " +
			"zu zum zur für und oder aber dass wenn mein meine dein seine ihr ihre nicht "
	case "es":
		return " el la los las un una unos unas de del a al en con por para sin sobre y e o u pero que si mi tu su " +
			"sus este esta no "
	case "it":
		return " il lo la i gli le un uno una di del della dei a al alla da dal in nel nella con su per tra fra e " +
			"o ma che se mio tuo suo non "
	case "pt":
		return " o a os as um uma de do da dos das em no na nos nas com por para sem e ou mas que se meu teu seu não "
	case "nl":
		return " de het een van in op aan bij met voor naar uit door en of maar dat die als mijn jouw zijn haar " +
			"niet te "
	}
	return ""
}

func binds(text, language string) bool {
	return len(text) < 8 && strings.Contains(binders(language), " "+strings.ToLower(text)+" ")
}
