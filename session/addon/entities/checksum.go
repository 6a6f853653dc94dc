package entities

import "strings"

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

// vin is the check of a vehicle identification number (49 CFR 565.15): 17 signs in capitals, the ninth is the check.
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

// social says whether nine digits may be a social security number: areas 000, 666 and 900 to 999, group 00 and serial
// 0000 are never given.
func social(d string) bool {
	return len(d) == 9 && d[:3] != "000" && d[:3] != "666" && d[0] != '9' && d[3:5] != "00" && d[5:] != "0000"
}
