package entities

import (
	"regexp"
	"strings"
)

// currencies maps words for money to the code or name under which sums are compared.
var currencies = map[string]string{"dollar": "USD", "dollars": "USD", "bucks": "USD", "buck": "USD", "usd": "USD",
	"euro": "EUR", "euros": "EUR",
	"eur": "EUR", "pound": "GBP", "pounds": "GBP", "quid": "GBP", "gbp": "GBP", "yen": "JPY", "jpy": "JPY",
	"rupees": "INR", "rupee": "INR",
	"inr": "INR", "pesos": "MXN", "francs": "CHF", "chf": "CHF", "yuan": "CNY", "cad": "CAD", "aud": "AUD",
	"grand": "grand",
	"cent":  "cent", "cents": "cent", "pence": "pence", "rubles": "RUB", "shekels": "ILS", "won": "", "krona": "SEK",
	"kroner": "NOK", "zloty": "PLN"}

var signs = map[string]string{"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "US$": "USD", "C$": "CAD",
	"A$": "AUD"}

var (
	sumForm  = regexp.MustCompile(`^-?(US\$|C\$|A\$|[$€£¥₹])(\d[\d,]{0,18}(?:\.\d{1,9})?)(k|K|m|M|bn|B)?(?:[-–]\$?\d[\d,.]{0,18})?$`)
	priceEnd = regexp.MustCompile(`^(\d[\d.,]{0,18})([$€£¥])$`)
)

// writtenMoney finds "$25", "€1,200.50", "$2.5 million", "25€", "USD 40".
func writtenMoney(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		raw := t.at(i).raw
		if m := sumForm.FindStringSubmatch(raw); m != nil {
			to, scale := i+1, m[3]
			if _, ok := scales[t.low(to)]; ok && t.joins(to) {
				scale, to = t.low(to), to+1
			}
			value := strings.ReplaceAll(m[2], ",", "") + scale + " " + signs[m[1]]
			list = append(list, candidate{kind: "MONEY", from: i, to: to, weight: formed, value: value})
		} else if m := priceEnd.FindStringSubmatch(raw); m != nil {
			list = append(list, candidate{kind: "MONEY", from: i, to: i + 1, weight: formed, value: m[1] + " " +
				signs[m[2]]})
		} else if oneOf(t.low(i), "usd eur gbp chf cad aud jpy inr") && figures.MatchString(t.at(i+1).raw) {
			list = append(list, candidate{kind: "MONEY", from: i, to: i + 2, weight: formed, value: t.low(i+1) + " " +
				currencies[t.low(i)]})
		}
	}
	return list
}

// spokenMoney finds "twenty five dollars and fifty cents".
func spokenMoney(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		a, end, ok := readSum(t, i)
		if !ok || isDigit(t, i) && continuesNumber(t, i) {
			continue
		}
		name := currencies[t.low(end)]
		if name == "" && oneOf(t.low(end), "us canadian australian american") {
			end++
			name = currencies[t.low(end)]
		}
		if name == "" || t.at(end-1).after != 0 || oneOf(t.low(end), "pounds pound") && isWeight(t, i, end) {
			continue
		}
		list = append(list, candidate{kind: "MONEY", from: i, to: centsEnd(t, end+1), weight: formed, value: a + " " +
			name})
	}
	return list
}

// readSum reads a number, "a", or "half a million".
func readSum(t *text, i int) (string, int, bool) {
	if t.low(i) == "half" && t.low(i+1) == "a" && scales[t.low(i+2)] > 0 {
		return "0.5 " + t.low(i+2), i + 3, true
	}
	if a, end, ok := readNumber(t, i); ok {
		return a.String(), end, true
	}
	return "1", i + 1, oneOf(t.low(i), "a") && oneOf(t.low(i+1), "dollar euro buck quid grand")
}

// continuesNumber reports whether the number at i is the rest of one that began before.
func continuesNumber(t *text, i int) bool {
	if t.at(i-1).after != 0 {
		return false
	}
	return oneOf(t.low(i-1), "hundred thousand million point") || oneOf(t.low(i-1), "and") &&
		oneOf(t.low(i-2), "hundred thousand million") ||
		tens[t.low(i-1)] > 0 && units[t.low(i)] > 0 || isDigit(t, i-1)
}

// centsEnd returns the end of "and fifty cents" at i, or i where there is none.
func centsEnd(t *text, i int) int {
	at := i
	if t.low(at) == "and" {
		at++
	}
	if _, end, ok := readSmallNumber(t, at); ok && oneOf(t.low(end), "cents cent pence p") {
		return end + 1
	}
	return i
}

// isWeight reports whether the pounds at end are a weight.
func isWeight(t *text, i, end int) bool {
	return t.near(i, 6, "weigh weighs weight weighed lost gained lift lifted lose losing gain weighing baby") ||
		oneOf(t.low(end+1), "of heavier lighter overweight heavy per and")
}

var percentForm = regexp.MustCompile(`^[-+]?\d[\d.,]{0,12}%$`)

// percents finds shares: "25%", "twenty percent", "three out of five".
func percents(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if raw := t.at(i).raw; percentForm.MatchString(raw) {
			list = append(list, candidate{kind: "STATISTICS", from: i, to: i + 1, weight: formed,
				value: strings.TrimSuffix(raw, "%") + "%"})
			continue
		}
		if isDigit(t, i) && continuesNumber(t, i) || !t.english {
			continue
		}
		if a, end, ok := readNumber(t, i); ok {
			if to := shareEnd(t, end); to > end {
				list = append(list, candidate{kind: "STATISTICS", from: i, to: to, weight: formed, value: a.String() +
					strings.TrimPrefix(" "+t.normal(end, to), " percent")})
			}
		}
	}
	return list
}

// shareEnd returns the end of "percent" or "out of ten" at i, after a number, or i where there is
// none.
func shareEnd(t *text, i int) int {
	switch {
	case t.at(i-1).after == '.':
	case oneOf(t.low(i), "percent % percentage"):
		return i + 1
	case t.low(i) == "per" && t.low(i+1) == "cent":
		return i + 2
	case t.low(i) == "out" && t.low(i+1) == "of" || t.low(i) == "in" && t.low(i-1) == "one" &&
		t.near(i, 5, "about roughly affects almost nearly approximately"):
		at := i + 1
		if t.low(i) == "out" {
			at++
		}
		if t.low(at) == "every" {
			at++
		}
		if _, end, ok := readNumber(t, at); ok && currencies[t.low(end)] == "" && !oneOf(t.low(end), periods) {
			return end
		}
	}
	return i
}
