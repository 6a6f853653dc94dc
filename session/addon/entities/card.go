package entities

import "strconv"

const cardWords = "card visa mastercard amex express credit debit discover"

// cards finds payment cards: 13 to 19 digits with a right checksum, or any where the words before speak of a card; and
// the last four digits of one.
func cards(t *text) []candidate {
	var list []candidate
	for _, r := range t.runs {
		called := t.near(r.from, 12, cardWords)
		if len(r.digits) == 4 && called && t.near(r.from, 4, "ending ends last four end") {
			list = append(list, r.as("CREDIT_CARD", cued))
			continue
		}
		if c, ok := r.card(called); ok {
			list = append(list, c)
		}
	}
	return list
}

// card is the run, or its beginning, if that is the number of a card.
func (r run) card(called bool) (candidate, bool) {
	if n := len(r.digits); n >= 13 && n <= 19 && (luhn(r.digits) && r.digits[0] >= '2' && r.digits[0] <= '6' || called) {
		return r.as("CREDIT_CARD", checked), true
	}
	for _, n := range []int{16, 15, 14, 13} {
		if part, ok := r.cut(n); ok && len(r.digits) > n && luhn(part.digits) && part.digits[0] >= '2' && part.digits[0] <= '6' {
			c := part.as("CREDIT_CARD", checked)
			c.weight++
			return c, called || len(r.digits) > 19
		}
	}
	return candidate{}, false
}

// expiries finds when a card expires: "expires oh three twenty seven", "expiration date march 2027", "valid thru 03/27".
func expiries(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if !one(t.low(i), "expiration expiry expires expire expiring exp") && !(t.low(i) == "valid" && one(t.low(i+1), "thru through until till")) {
			continue
		}
		from := i + 1
		for n := 0; n < 8 && (one(t.low(from), fillers) || one(t.low(from), "date thru through until till in at end the month this card")); n++ {
			from++
		}
		if to, value := t.expiry(from); to > from {
			list = append(list, candidate{kind: "CREDIT_CARD_EXPIRATION", from: from, to: to, weight: checked, value: value})
		}
	}
	return list
}

// expiry reads a month and a year at i.
func (t *text) expiry(i int) (int, string) {
	if m := slashed.FindStringSubmatch(t.at(i).raw); m != nil {
		return i + 1, m[1] + "/" + m[2][len(m[2])-2:]
	}
	if m, end := t.month(i); m > 0 {
		if one(t.low(end), "of") {
			end++
		}
		if y, to := t.year(end); y > 0 {
			return to, pad(m) + "/" + pad(y%100)
		}
		if p, ok := t.piece(end); ok && len(p.digits) == 2 {
			return p.to, pad(m) + "/" + p.digits
		}
		return i, ""
	}
	return t.digitExpiry(i)
}

// digitExpiry reads "oh three twenty seven", "0327", "ten slash two thousand twenty six".
func (t *text) digitExpiry(i int) (int, string) {
	digits, at := "", i
	for len(digits) < 6 {
		p, ok := t.piece(at)
		if !ok || len(digits)+len(p.digits) > 6 {
			break
		}
		digits, at = digits+p.digits, p.to
		if t.at(at-1).after == '.' {
			break
		}
		if one(t.low(at), "slash dash of stroke") {
			at++
		}
	}
	for at > i && one(t.low(at-1), "slash dash of stroke") {
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

func pad(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}
