package entities

import (
	"regexp"
	"strings"
)

var socialForm = regexp.MustCompile(`^\d{3}-\d{2}-\d{4}$`)

// socials finds social security numbers that are written with hyphens or spoken with "dash" between their parts.
func socials(t *text) []candidate {
	var list []candidate
	for _, r := range t.runs {
		if social(r.digits) && (len(r.pieces) == 1 && socialForm.MatchString(t.at(r.from).raw) || t.dashed(r)) {
			list = append(list, r.as("SSN", checked))
		}
	}
	return list
}

// dashed says whether "dash" was said behind the third and the fifth digit.
func (t *text) dashed(r run) bool {
	n, found := 0, 0
	for _, p := range r.pieces {
		n += len(p.digits)
		if one(t.low(p.to), "dash hyphen minus") && p.to < r.to {
			if n != 3 && n != 5 {
				return false
			}
			found++
		}
	}
	return found == 2
}

// numerals finds codes of seven and more digits said one by one, where nothing tells what they are.
func numerals(t *text) []candidate {
	var list []candidate
	for _, r := range t.runs {
		amount := len(r.pieces) == 1 && strings.Trim(r.digits, "0123456789") == "" && len(r.digits) < 8
		if len(r.digits) >= 7 && r.spelt() && !r.counts() && !amount {
			c := r.as("NUMERICAL_PII", listed)
			if r.partial || len(t.within(r.from, r.to)) > 0 { // some utterances of it may be something else
				c.doubt = 1
			}
			list = append(list, c)
		}
	}
	return list
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
			s, end := t.sign(to, cue{letters: true})
			if end != to+1 || s == "" {
				break
			}
			joined += s
			if mod97(joined) {
				list = append(list, candidate{kind: "BANK_ACCOUNT", from: i, to: to + 1, weight: checked, value: joined})
			}
		}
	}
	return list
}

// ibanStart says whether a token is a letter, spoken as such or by its name, or begins with two letters and a digit.
func ibanStart(low string) bool {
	letter := func(b byte) bool { return b >= 'a' && b <= 'z' }
	if len(low) == 1 {
		return letter(low[0])
	}
	return len(low) > 1 && letter(low[0]) && letter(low[1]) && (len(low) == 2 || low[2] >= '0' && low[2] <= '9') || spelling[low] != ""
}

// vehicles finds vehicle identification numbers by their check digit.
func vehicles(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if raw := strings.ToUpper(t.at(i).raw); vin(raw) && strings.ContainsAny(raw, "ABCDEFGHJKLMNPRSTUVWXYZ") {
			list = append(list, candidate{kind: "VEHICLE_ID", from: i, to: i + 1, weight: checked, value: raw})
		}
	}
	return list
}

var icdForm = regexp.MustCompile(`^[A-TV-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4}$`)

// writtenCodes finds codes of diagnoses (ICD-10) with their point: "E11.9".
func writtenCodes(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if raw := t.at(i).raw; icdForm.MatchString(raw) {
			list = append(list, candidate{kind: "MEDICAL_CODE", from: i, to: i + 1, weight: formed, value: strings.ReplaceAll(raw, ".", "")})
		}
	}
	return list
}
