package entities

import "strings"

// phones finds telephone numbers: ten digits by the rules of North America, international ones with a plus, ones of
// ten or eleven digits with a leading zero, and seven to fifteen digits where the words before speak of a telephone.
func phones(t *text) []candidate {
	var list []candidate
	for _, r := range t.runs {
		d := r.digits
		called := t.near(r.from, 9, phoneWords) || oneOf(t.low(r.to), "extension") || t.near(r.to+6, 6, "cell mobile phone") && oneOf(t.low(r.to), "is")
		long := len(d) >= 7 && len(d) <= 15 && (!r.partial || len(d) == 7 || len(d) == 10 || len(d) == 11)
		ok := long && called && !t.near(r.from, 3, "order account card case ticket")
		ok = ok || r.plus && len(d) >= 8 && len(d) <= 15
		ok = ok || r.spelt() && !r.counts() && (american(d) || d[0] == '0' && (len(d) == 10 || len(d) == 11))
		if !ok && r.local() {
			ok = true
		}
		if !ok {
			continue
		}
		c := r.as("PHONE_NUMBER", formed)
		if called || r.plus {
			c.weight = cued
		}
		c.to, c.value = readExtension(t, r.to, d)
		list = append(list, c)
	}
	return list
}

const phoneWords = "call phone telephone cell mobile cellphone reach text fax dial contact tel ring callback texting calling sms whatsapp landline"

// american reports whether digits are a number of the North American plan, with or without its leading one.
func american(d string) bool {
	if len(d) == 11 && d[0] == '1' {
		d = d[1:]
	}
	return len(d) == 10 && d[0] > '1' && d[3] > '1' && d[1:3] != "11"
}

// local reports whether a run is written as "555-0199".
func (r run) local() bool {
	return len(r.digits) == 7 && len(r.pieces) == 1 && r.digits[0] > '1'
}

// readExtension goes on behind a number with "extension one two", "ext 12" or "x12".
func readExtension(t *text, i int, digits string) (int, string) {
	if x, ok := strings.CutPrefix(t.low(i), "x"); ok && digitsOnly(x) && len(x) < 7 {
		return i + 1, digits + "x" + x
	}
	if !oneOf(t.low(i), "extension ext x") {
		return i, digits
	}
	if r, ok := readRun(t, i+1); ok && len(r.digits) < 7 {
		return r.to, digits + "x" + r.digits
	}
	return i, digits
}
