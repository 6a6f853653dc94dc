package entities

import "slices"

// isOtherPin reports whether "pin" at i is a thing, no number: "a safety pin".
func isOtherPin(t *text, i int) bool {
	return t.low(i) == "pin" &&
		oneOf(t.low(i-1), "safety sewing hair hat bobby bowling rolling drawing push cotter clevis firing tie "+
			"lapel drop panel king locking hitch split dowel map thumb straight collar stick ground output input "+
			"connector")
}

// isQuantity reports whether the token at i is the unit of a number before it.
func isQuantity(t *text, i int) bool {
	return t.at(i-1).after == 0 &&
		oneOf(t.low(i), "dollars dollar euros euro pounds pound cents percent years year people pieces pins "+
			"contacts volts volt watts meters metres miles kilometers kilometres degrees times hours minutes days "+
			"points")
}

// isAmount reports whether a number at i counts something.
func isAmount(t *text, i int) bool {
	r, ok := readRun(t, i)
	return ok && isQuantity(t, r.to)
}

// sentCodes finds codes for one time, of five to eight digits, or four for a door and the like,
// where a code is spoken of shortly before them or names them: "the code you texted me, I think
// it's 491 207", "491 207, that's the code".
func sentCodes(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if !oneOf(t.low(i), "code codes") || oneOf(t.low(i-1), publicCodes) {
			continue
		}
		least := 5
		if oneOf(t.low(i-1), "access entry door gate alarm lock verification confirmation") {
			least = 4
		}
		before := announcedEnd(t, i)
		at := slices.IndexFunc(t.runs, func(r run) bool {
			n := len(r.digits)
			counts := t.joins(r.to) && !oneOf(t.low(r.to), functional+" thanks thank please okay ok yes right")
			place := r.from > i && r.from <= i+cueReach
			if before < i {
				place = r.to == before
			}
			return n >= least && n <= 8 && place && !counts
		})
		if at >= 0 {
			list = append(list, t.runs[at].as("PASSWORD", cued))
		}
	}
	return list
}

// changed are words with which somebody tells an old PIN and a new one.
const changed = "used to be been but now it is was changed from my the old new first second one later then " +
	"and or maybe i think believe guess not sorry " +
	"wait no since that actually meant mean"

// changedPins finds all PINs where somebody tells several after one another: "my pin used to be
// 1234, but now it's 4277".
func changedPins(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if oneOf(t.low(i), "pin passcode") && !isOtherPin(t, i) {
			list = append(list, pinsAfter(t, i+1)...)
		}
	}
	return list
}

// pinsAfter finds the PINs from i on, with no other words between them than [changed], and not many
// of these.
func pinsAfter(t *text, i int) []candidate {
	var list []candidate
	for n := 0; n < 24 && i < len(t.tokens); n++ {
		r, isNumber := readRun(t, i)
		switch {
		case isNumber && len(r.digits) >= 4 && len(r.digits) <= 6 && !isQuantity(t, r.to):
			list = append(list, r.as("PASSWORD", cued))
			i = r.to
		case !isNumber && oneOf(t.low(i), changed):
			i++
		default:
			return list
		}
	}
	return list
}
