package entities

import (
	"slices"
	"strings"
)

// detailWords may stand between a card's number, its expiry and its code.
const detailWords = "and then with the a it its that is on of in my your exp expiry expires expire " +
	"expiration expiring date valid good thru through until till cvv cvc cid c v security code verification number " +
	"digits three four back front card so ok okay yes right uh um slash dash last numbers here comma space sign " +
	"reverse side which will be was"

// cardDetails finds the expiry and the code of a card whose number ends before the token at i:
// digits after it, with no other words between than [detailWords]. To be hidden, the expiry may be
// missing.
func cardDetails(t *text, i int) []candidate {
	var list []candidate
	if from, to := expiryAfter(t, i); to > from {
		list = append(list, candidate{kind: "CREDIT_CARD_EXPIRATION", from: from, to: to, weight: checked,
			value: t.normal(from, to)})
		i = to
	} else if !t.hiding {
		return nil
	}
	if from, to, code := codeAfter(t, i); to > from {
		list = append(list, candidate{kind: "CVV", from: from, to: to, weight: cued, value: code})
	}
	return list
}

// skipDetailWords returns where the words between the parts of a card's data end, after twelve of
// them at most.
func skipDetailWords(t *text, i int) int {
	for n := 0; n < 12 && i < len(t.tokens) && isDetailWord(t, i) && !isCounting(t, i); n++ {
		i++
	}
	return i
}

func isDetailWord(t *text, i int) bool {
	return oneOf(t.low(i), detailWords) || oneOf(t.low(i), fillersOf[t.language]) ||
		oneOf(t.low(i), detailsOf[t.language])
}

// detailsOf are the words for a card's expiry and code in other languages, and those that may stand
// with them.
var detailsOf = map[string]string{
	"de": "gültig bis ablaufdatum verfallsdatum prüfnummer prüfziffer kartenprüfnummer sicherheitscode rückseite " +
		"der und dann",
	"fr": "expire expiration valable jusqu'au jusqu'à fin date d'expiration cryptogramme code sécurité visuel au " +
		"dos puis en",
	"es": "válida hasta caduca caducidad vencimiento vence fecha código seguridad y luego en",
	"it": "valida fino a scade scadenza data codice sicurezza e poi a nel",
	"nl": "geldig tot vervaldatum verloopt beveiligingscode veiligheidscode en dan",
	"pt": "válido válida até validade vence vencimento data código segurança e depois em",
}

// isCounting reports whether the token at i is a digit that is said as one of the card's data,
// rather than a number of digits.
func isCounting(t *text, i int) bool {
	return oneOf(t.low(i), "three four") && !oneOf(t.low(i+1), "digit digits numbers number")
}

// expiryAfter is the range of an expiry that follows a card's number; from is to where there is
// none.
func expiryAfter(t *text, i int) (from, to int) {
	from = skipDetailWords(t, i)
	if slashed.MatchString(t.at(from).raw) {
		return from, from + 1
	}
	if m, _ := readMonth(t, from); m > 0 {
		end, _ := readExpiry(t, from)
		return from, end
	}
	digits, at := "", from
	for len(digits) < 6 {
		for at > from && oneOf(t.low(at), "slash dash of stroke") {
			at++
		}
		p, ok := readPiece(t, at)
		if !ok {
			break
		}
		digits, at = digits+p.digits, p.to
		next, more := readPiece(t, at)
		whole := isExpiry(digits, len(p.digits) == 2) && !(more && next.digits == "20" && len(digits) == 2)
		if whole && !(more && len(digits) == 4 && isExpiry(digits+next.digits, false)) {
			return from, at
		}
	}
	return from, from
}

// codeAfter is the range and the digits of a card's code that follows; from is to where there is
// none.
func codeAfter(t *text, i int) (from, to int, code string) {
	from = skipDetailWords(t, i)
	if r, ok := readRun(t, from); ok && r.isCode() && !isQuantity(t, r.to) {
		return from, r.to, r.digits
	}
	at := from
	for len(code) < 5 {
		p, ok := readPiece(t, at)
		if !ok || p.round {
			break
		}
		code, at = code+p.digits, p.to
		if t.at(at-1).after == '.' {
			break
		}
	}
	if len(code) < 3 || len(code) > 4 || oneOf(t.low(at), "dollars euros pounds percent cents o'clock am pm") {
		return from, from, ""
	}
	return from, at, code
}

// isCode reports whether a run is a code said as one number: "seven hundred twelve", but not "seven
// hundred".
func (r run) isCode() bool {
	return len(r.digits) >= 3 && len(r.digits) <= 4 && r.pieces[0].round && !strings.HasSuffix(r.digits, "00")
}

// scatteredCards finds the digits of a card that are said in several runs with other words between:
// "it starts with …, then …, and ends with …". The runs that make a number with a right checksum
// are one after another, with few words between. The checksum may be wrong, since recognizers
// mishear, where only words of a card's data are between and its number was asked for.
func scatteredCards(t *text) []candidate {
	var list []candidate
	for i := 0; i < len(t.runs); i++ {
		n, digits := scatteredCard(t, i)
		if n-i < 2 || !t.near(t.runs[i].from, 30, cardWords) {
			continue
		}
		for _, r := range t.runs[i:n] {
			list = append(list, candidate{kind: "CREDIT_CARD", from: r.from, to: r.to, weight: cued, value: digits})
		}
	}
	return list
}

// scatteredCard returns the end of the runs from i on that make the number of a card of fifteen or
// sixteen digits, and these; i where none do. A right checksum decides where both lengths would do.
func scatteredCard(t *text, i int) (end int, number string) {
	end = i
	asked, digits, last := isCardNumberAsked(t, t.runs[i].from), "", -1
	for k := i; k < len(t.runs) && len(digits) < 16 && (k == i || t.runs[k].from-t.runs[k-1].to <= 8); k++ {
		r := t.runs[k]
		if r.partial || len(r.digits) >= 13 {
			continue
		}
		asked = asked && (last < 0 || skipDetailWords(t, t.runs[last].to) >= r.from)
		digits, last = digits+r.digits, k
		if n := len(digits); n == 15 || n == 16 {
			if isCard(digits) {
				return k + 1, digits
			}
			if asked {
				end, number = k+1, digits
			}
		}
	}
	return end, number
}

// isCardNumberAsked reports whether a card's number is spoken of shortly before the token at i.
func isCardNumberAsked(t *text, i int) bool {
	for k := max(0, i-14); k < i; k++ {
		if oneOf(t.low(k), "number numbers digits") && (oneOf(t.low(k-1), cardWords+" long") || t.near(i, 14, "card")) {
			return true
		}
	}
	return false
}

// securityCodes finds the code of a card where the words before announce it, with others between:
// "the three digits on the back of the card, I think they are nine oh one".
func securityCodes(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		end := securityCueEnd(t, i)
		if end == i {
			continue
		}
		limit := min(len(t.tokens), end+cueReach)
		at := slices.IndexFunc(t.runs, func(r run) bool {
			return r.from >= end && r.from < limit && len(r.digits) >= 3 && len(r.digits) <= 4 && !isQuantity(t, r.to)
		})
		if at >= 0 {
			list = append(list, t.runs[at].as("CVV", cued))
		}
	}
	return list
}

// securityCueEnd returns where words end that announce the code of a card; i where none begin
// there. "Code" alone is one, unless the word before it names another code.
func securityCueEnd(t *text, i int) int {
	if oneOf(t.low(i), "cvv2 cvc2") || t.low(i) == "code" && !oneOf(t.low(i-1), otherCodes) {
		return i + 1
	}
	if c, end, ok := readCue(t, i); ok && c.kind == "CVV" {
		return end
	}
	return i
}

// otherCodes are words that, before "code", mean a code other than that of a card.
const otherCodes = publicCodes + " access pin verification confirmation entry door gate one time two factor"

// publicCodes are those of them that are no secret.
const publicCodes = "area zip post postal sort country promo promotional discount coupon dress source error booking " +
	"bar qr product billing procedure diagnosis icd cpt reference status tax morse voucher gift"

// cueReach is how many words may stand between what announces a code and the code, where it is to
// be hidden.
const cueReach = 15
