package entities

import (
	"maps"
	"slices"
	"strings"

	"steno/messages"
)

// Dictation is what words end with that may be the beginning of a number, or of something spelt,
// whose rest is not said yet.
type Dictation struct {
	From, To int      // the words [From,To); only joints such as "uh" follow them
	Digits   int      // how many digits are among them
	Kinds    []string // sorted types that the words before announce
	Hints    []string // sorted types of which the words before speak, without announcing a value
}

// announceReach is how many tokens may stand between what announces a number and its beginning.
const announceReach = 14

// Dictating returns the dictation that words end with, and false if they end with none. The words
// are those of utterances, of which all but the first begin at the indices begins, as for
// [FindAcross].
func Dictating(words []messages.Word, begins []int, language string) (d Dictation, ok bool) {
	t := newText(words, begins, language)
	from, to := t.spelt()
	if from == to {
		return d, false
	}
	d = Dictation{From: t.tokens[from].word, To: t.tokens[to-1].last + 1, Digits: len(t.digitsOf(from, to))}
	d.Kinds, d.Hints = t.announced(from, d.Digits > 2), t.hints(from)
	return d, true
}

// announced returns the types that words before a token announce: directly, with nothing but
// fillers between, or at some distance if the code of a card is announced or the number is long.
func (t *text) announced(from int, long bool) []string {
	kinds := map[string]bool{}
	for i := max(0, from-announceReach); i < from; i++ {
		c, end, cued := readCue(t, i)
		if near := long || c.kind == "CVV" || skipFillers(t, end) >= from; cued && end <= from && near &&
			!(c.kind == "PASSWORD" && isOtherPin(t, i)) {
			kinds[c.kind] = true
		}
		if end := securityCueEnd(t, i); end > i && (long || skipFillers(t, end) >= from) {
			kinds["CVV"] = true
		}
		if isExpiryWord(t, i) {
			kinds["CREDIT_CARD_EXPIRATION"] = true
		}
	}
	return slices.Sorted(maps.Keys(kinds))
}

// hints returns the types of which words before a token speak.
func (t *text) hints(from int) []string {
	kinds := map[string]bool{}
	if t.near(from, announceReach, cardWords) || t.near(from, announceReach, cardWordsOf[t.language]) ||
		isLongNumber(t, from) {
		kinds["CREDIT_CARD"], kinds["CREDIT_CARD_EXPIRATION"], kinds["CVV"] = true, true, true
	}
	if t.near(from, 9, phoneWords) || t.near(from, 9, phoneWordsOf[t.language]) || isNumberOf(t, from) {
		kinds["PHONE_NUMBER"] = true
	}
	for kind, words := range map[string]string{
		"DOB": "born birth birthday birthdate", "EMAIL_ADDRESS": "email e-mail mail " + mailWordsOf[t.language],
		"PASSWORD":   "password",
		"IP_ADDRESS": "ip server", "USERNAME": "username user",
	} {
		if t.near(from, announceReach, words) {
			kinds[kind] = true
		}
	}
	return slices.Sorted(maps.Keys(kinds))
}

// cardWordsOf are those of other languages.
var cardWordsOf = map[string]string{"de": "karte kreditkarte kartennummer", "fr": "carte", "es": "tarjeta",
	"it": "carta", "nl": "kaart creditcard kaartnummer betaalkaart bankpas", "pt": "cartão cartao",
	"pl": "karta karty karcie", "cs": "karta karty kartě", "ru": "карта карты карте", "uk": "картка картки карта",
	"sv": "kort kortnummer kreditkort", "da": "kort kortnummer kreditkort", "no": "kort kortnummer kredittkort",
	"fi": "kortti kortin luottokortti", "tr": "kart kartım kartın"}

// spelt returns the tokens [from,to) of digits, letters and signs that the text ends with, with
// what may stand between them. The marks after the last of them mean nothing.
func (t *text) spelt() (from, to int) {
	for i, gap := len(t.tokens), 0; i > 0; i-- {
		switch {
		case t.at(i-1).after == '.' && i < len(t.tokens):
			return from, to
		case isSpelling(t, i-1):
			if to == 0 {
				to = i
			}
			from, gap = i-1, 0
		case gap < 3 && (joints[t.low(i-1)] || dotted(t.low(i-1)) || oneOf(t.low(i-1),
			"hundred thousand at and then so okay")):
			gap++
		default:
			return from, to
		}
	}
	return from, to
}

// digitsOf returns the digits that are said in the tokens [from,to).
func (t *text) digitsOf(from, to int) string {
	var b strings.Builder
	for i := from; i < to; {
		if p, ok := readPiece(t, i); ok && p.to > i {
			b.WriteString(p.digits)
			i = p.to
			continue
		}
		i++
	}
	return b.String()
}

// Digits lists the words of which at least so many digits are said in a row.
func Digits(words []messages.Word, language string, least int) (list []Found) {
	t := newText(words, nil, language)
	for _, r := range t.runs {
		if len(r.digits) >= least {
			from, to := t.words(r.as("NUMERICAL_PII", listed))
			list = append(list, Found{Type: "NUMERICAL_PII", From: from, To: to, Value: r.digits})
		}
	}
	return list
}

// isLongNumber reports whether "the long number", as a card's is called, "the number on the front"
// or its sixteen digits are spoken of before a token.
func isLongNumber(t *text, from int) bool {
	for i := max(1, from-announceReach); i < from; i++ {
		before := t.low(i - 1)
		if oneOf(t.low(i), "number numbers digits") && before == "long" ||
			oneOf(t.low(i), "front") && t.near(i, 5, "number numbers digits") ||
			oneOf(t.low(i), "digit digits") && oneOf(before, "sixteen fifteen 16 15") {
			return true
		}
	}
	return false
}
