package entities

import (
	"net/netip"
	"strconv"
	"strings"
)

// addresses4 finds IP addresses: written ones, and "ten dot zero dot zero dot one".
func addresses4(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		raw := strings.Trim(t.at(i).raw, "[]")
		if strings.Count(raw, ".") == 3 || strings.Count(raw, ":") > 1 {
			bare, _, _ := strings.Cut(raw, "/")
			if a, err := netip.ParseAddr(bare); err == nil {
				list = append(list, candidate{kind: "IP_ADDRESS", from: i, to: i + 1, weight: checked, value: a.String()})
				continue
			}
		}
		if c, ok := t.spokenIP(i); ok {
			list = append(list, c)
		}
	}
	return list
}

// spokenIP reads four numbers below 256 with "dot" or "point" between.
func (t *text) spokenIP(i int) (candidate, bool) {
	if one(t.low(i-1), "dot point") || t.digitish(i-1) {
		return candidate{}, false
	}
	parts := make([]string, 0, 4)
	at := i
	for {
		digits, end := t.octet(at)
		if digits == "" {
			return candidate{}, false
		}
		if parts = append(parts, digits); len(parts) == 4 {
			return candidate{kind: "IP_ADDRESS", from: i, to: end, weight: checked, value: strings.Join(parts, ".")}, true
		}
		if !one(t.low(end), "dot point") {
			return candidate{}, false
		}
		at = end + 1
	}
}

// octet reads "one ninety two", "one hundred and ninety two", "one nine two": 0 to 255 in digits, else nothing.
func (t *text) octet(i int) (string, int) {
	if a, end, ok := t.group(i); ok && a.whole >= 100 && a.within(0, 255) {
		return a.String(), end
	}
	digits, end := "", i
	for len(digits) < 3 {
		p, ok := t.piece(end)
		if !ok || len(digits)+len(p.digits) > 3 {
			break
		}
		digits, end = digits+p.digits, p.to
	}
	v, err := strconv.Atoi(digits)
	if err != nil || v > 255 {
		return "", i
	}
	return strconv.Itoa(v), end
}
