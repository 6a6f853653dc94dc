package entities

import (
	"strconv"
	"strings"
)

const cardWords = "card visa mastercard amex express credit debit discover"

// cards finds payment cards: 13 to 19 digits with a right checksum, or any where the words before
// speak of a card; and the last four digits of one. To be hidden, it also finds those with other
// words between their digits, and what else is said of a card directly after its number.
func cards(t *text) []candidate {
	var list []candidate
	for _, r := range t.runs {
		called := t.near(r.from, 12, cardWords) || t.near(r.from, 12, cardWordsOf[t.language])
		if len(r.digits) == 4 && (called && (t.near(r.from, 4, "ending ends last four end") || isLastFour(t, r.from)) ||
			t.hiding && t.near(r.from, 3, "ending ends last")) {
			c := r.as("CREDIT_CARD", cued)
			if !called {
				c.weight = formed
			}
			list = append(list, c)
			continue
		}
		if c, ok := r.card(called); ok {
			list = append(list, c)
			list = append(list, cardDetails(t, c.to)...)
		}
	}
	if t.hiding {
		list = append(list, scatteredCards(t)...)
	}
	return list
}

// card is the run, or its beginning, if that is the number of a card.
func (r run) card(called bool) (candidate, bool) {
	if n := len(r.digits); n >= 13 && n <= 19 && (isCard(r.digits) || called) {
		return r.as("CREDIT_CARD", checked), true
	}
	for _, n := range []int{16, 15, 14, 13} {
		if len(r.digits) <= n || !isCard(r.digits[:n]) {
			continue
		}
		part, ok := r.cut(n)
		if !ok && len(r.digits) > 19 && len(r.pieces[0].digits) > n { // all written as one
			return r.as("CREDIT_CARD", checked), true
		}
		if ok {
			c := part.as("CREDIT_CARD", checked)
			c.weight++
			return c, called || len(r.digits) > 19
		}
	}
	return candidate{}, false
}

// isLastFour reports whether "last four" stands before the token at i, with no other words between
// than those that may stand between the parts of a card's data, or a card's name.
func isLastFour(t *text, i int) bool {
	for n := 0; n < 12 && i > 1; n++ {
		i--
		if oneOf(t.low(i), "four 4") && oneOf(t.low(i-1), "last final") {
			return true
		}
		if !isDetailWord(t, i) && !oneOf(t.low(i), fillers+" "+cardWords) {
			return false
		}
	}
	return false
}

// isCard reports whether digits have the beginning and the checksum of a card's number.
func isCard(d string) bool { return luhn(d) && d[0] >= '2' && d[0] <= '6' }

// expiries finds when a card expires: "expires oh three twenty seven", "expiration date march
// 2027", "valid thru 03/27".
func expiries(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if !isExpiryWord(t, i) && !isValidUntil(t, i) {
			continue
		}
		from := i + 1
		for n := 0; n < 8 && (oneOf(t.low(from), fillers) || t.spoken != nil && isDetailWord(t, from) ||
			oneOf(t.low(from), "date thru through until till in at end the month this card")); n++ {
			from++
		}
		if to, value := readExpiry(t, from); to > from {
			list = append(list, candidate{kind: "CREDIT_CARD_EXPIRATION", from: from, to: to, weight: checked,
				value: value})
		} else if from, to, value := expiryBefore(t, i); to > from {
			list = append(list, candidate{kind: "CREDIT_CARD_EXPIRATION", from: from, to: to, weight: cued,
				value: value})
		}
	}
	return list
}

// expiryBefore is the range of an expiry before the token at i that names it: "june twenty eight is
// the expiry date"; from is to where there is none.
func expiryBefore(t *text, i int) (from, to int, value string) {
	end := i
	for n := 0; n < 4 && (oneOf(t.low(end-1), "is was the my its card") || t.contracts(end-1, "that it")); n++ {
		end--
	}
	if !oneOf(t.low(end), "is was") && !t.contracts(end, "that it") {
		return i, i, ""
	}
	for from := max(0, end-6); from < end; from++ {
		if to, value := readExpiry(t, from); to == end {
			return from, to, value
		}
	}
	return i, i, ""
}

// isExpiryWord reports whether a word announces when a card expires.
func isExpiryWord(t *text, i int) bool {
	return oneOf(t.low(i), "expiration expiry expires expire expiring exp") || oneOf(t.low(i), expiryWords[t.language])
}

// expiryWords are those of other languages.
var expiryWords = map[string]string{"de": "ablaufdatum verfallsdatum", "fr": "d'expiration expire expiration",
	"es": "caduca caducidad vencimiento", "it": "scade scadenza",
	"nl": "vervaldatum verloopt", "pt": "validade vencimento"}

// validUntil are the words for "valid until" in other languages.
var validUntil = map[string]string{"de": "gültig bis", "fr": "valable jusqu'au jusqu'à", "es": "válida válido hasta",
	"it": "valida fino", "nl": "geldig tot",
	"pt": "válido válida até"}

// isValidUntil reports whether "valid until" and the like begins at i. Of other things than cards
// "good until" is said as well.
func isValidUntil(t *text, i int) bool {
	if words := validUntil[t.language]; words != "" && oneOf(t.low(i), words) && oneOf(t.low(i+1), words) {
		return t.hiding
	}
	if !oneOf(t.low(i+1), "thru through until till") {
		return false
	}
	return t.low(i) == "valid" || t.low(i) == "good" && (t.hiding || t.near(i, 30, cardWords))
}

// readExpiry reads a month and a year at i.
func readExpiry(t *text, i int) (int, string) {
	if m := slashed.FindStringSubmatch(t.at(i).raw); m != nil {
		return i + 1, m[1] + "/" + m[2][len(m[2])-2:]
	}
	if m, end := readMonth(t, i); m > 0 {
		if oneOf(t.low(end), "of") || !t.english && oneOf(t.low(end), "de del di") {
			end++
		}
		if y, to := readYear(t, end); y > 0 {
			return to, pad(m) + "/" + pad(y%100)
		}
		if p, ok := readPiece(t, end); ok && len(p.digits) == 2 {
			return p.to, pad(m) + "/" + p.digits
		}
		return i, ""
	}
	return readDigitExpiry(t, i)
}

// readDigitExpiry reads "oh three twenty seven", "0327", "ten slash two thousand twenty six".
func readDigitExpiry(t *text, i int) (int, string) {
	digits, at := "", i
	for len(digits) < 6 && !isExpiry(digits, false) {
		p, ok := readPiece(t, at)
		if !ok || len(digits)+len(p.digits) > 6 {
			break
		}
		digits, at = digits+p.digits, p.to
		if t.at(at-1).after == '.' {
			break
		}
		if oneOf(t.low(at), "slash dash of stroke") {
			at++
		}
	}
	for at > i && oneOf(t.low(at-1), "slash dash of stroke") {
		at--
	}
	if len(digits) == 3 || len(digits) == 5 {
		digits = "0" + digits
	}
	if len(digits) != 4 && len(digits) != 6 {
		return i, ""
	}
	if m, err := strconv.Atoi(digits[:2]); err != nil || m < 1 || m > 12 {
		return at, digits
	}
	return at, digits[:2] + "/" + digits[len(digits)-2:]
}

// isExpiry reports whether digits are a month and a year of this century, as MMYY or MMYYYY. With
// loose a month may lack its zero.
func isExpiry(d string, loose bool) bool {
	if loose && (len(d) == 3 || len(d) == 5) {
		d = "0" + d
	}
	if len(d) != 4 && len(d) != 6 || len(d) == 6 && d[2:4] != "20" {
		return false
	}
	month, year := d[:2], d[len(d)-2:]
	return month >= "01" && month <= "12" && year >= "21" && year <= "49"
}

// routings finds routing numbers by their checksum where a bank was spoken of.
func routings(t *text) []candidate {
	var list []candidate
	for _, r := range t.runs {
		if aba(r.digits) && t.near(r.from, 8, "bank wire transfer routing aba ach deposit") {
			list = append(list, r.as("ROUTING_NUMBER", formed))
		}
	}
	return list
}

// ibans finds account numbers by their checksum, in one word or in written groups of four.
func ibans(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if !ibanStart(t.low(i)) {
			continue
		}
		joined := ""
		for to := i; to < len(t.tokens) && to < i+36 && len(joined) < 34; to++ {
			s, end := readCodeSign(t, to, cue{letters: true})
			if end != to+1 || s == "" {
				break
			}
			joined += s
			if mod97(joined) {
				list = append(list, candidate{kind: "BANK_ACCOUNT", from: i, to: to + 1, weight: checked,
					value: joined})
			}
		}
	}
	return list
}

// ibanStart reports whether a token is a letter, spoken as such or by its name, or begins with two
// letters and a digit.
func ibanStart(low string) bool {
	letter := func(b byte) bool { return b >= 'a' && b <= 'z' }
	if len(low) == 1 {
		return letter(low[0])
	}
	return len(low) > 1 && letter(low[0]) && letter(low[1]) && (len(low) == 2 || low[2] >= '0' && low[2] <= '9') ||
		spelling[low] != ""
}

// luhn is the check of card numbers (ISO/IEC 7812-1, annex B) over 2 or more digits.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return len(digits) > 1 && sum%10 == 0 && strings.Trim(digits, "0") != ""
}

// aba is the check of a routing number in the USA: nine digits weighted 3, 7, 1.
func aba(digits string) bool {
	if len(digits) != 9 {
		return false
	}
	sum := 0
	for i := range 9 {
		sum += int(digits[i]-'0') * [3]int{3, 7, 1}[i%3]
	}
	return sum%10 == 0 && digits != "000000000"
}

// mod97 is the check of an IBAN (ISO 13616) in capitals without spaces, 15 to 34 signs.
func mod97(iban string) bool {
	if len(iban) < 15 || len(iban) > 34 {
		return false
	}
	rest := 0
	for i := range len(iban) {
		c := iban[(i+4)%len(iban)]
		switch {
		case c >= '0' && c <= '9':
			rest = (rest*10 + int(c-'0')) % 97
		case c >= 'A' && c <= 'Z':
			rest = (rest*100 + int(c-'A') + 10) % 97
		default:
			return false
		}
	}
	return rest == 1
}

// vin is the check of a vehicle identification number (49 CFR 565.15): 17 signs in capitals, the
// ninth is the check.
func vin(s string) bool {
	if len(s) != 17 {
		return false
	}
	const values, weights = "0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ", "8765432X098765432"
	sum := 0
	for i := range 17 {
		v := strings.IndexByte(values, s[i])
		if v < 0 || s[i] == '.' {
			return false
		}
		w := strings.IndexByte("0123456789X", weights[i])
		sum += v % 10 * w
	}
	return "0123456789X"[sum%11] == s[8]
}

// social reports whether nine digits may be a social security number: areas 000, 666 and 900 to
// 999, group 00 and serial 0000 are never given.
func social(d string) bool {
	return len(d) == 9 && d[:3] != "000" && d[:3] != "666" && d[0] != '9' && d[3:5] != "00" && d[5:] != "0000"
}
