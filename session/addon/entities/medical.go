package entities

import (
	"regexp"
	"strings"
)

// injuries finds what was hurt: "broken leg", "sprained my ankle", "fractured rib", "concussion" is
// listed.
func injuries(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if oneOf(t.low(i), "concussion whiplash hematoma frostbite sunburn dislocation") {
			list = append(list, candidate{kind: "INJURY", from: i, to: i + 1, weight: listed})
		}
		if !oneOf(t.low(i), "broken broke fractured fracture sprained sprain torn tore dislocated bruised burned "+
			"burnt injured hurt strained ruptured twisted crushed cut pulled") {
			continue
		}
		at := i + 1
		for n := 0; n < 3 && oneOf(t.low(at), "my his her your their a the left right lower upper in of"); n++ {
			at++
		}
		end := t.phrase(at, body)
		if end == at || t.at(i).after != 0 || oneOf(t.low(i), "cut pulled hurt crushed") && at == i+1 {
			continue
		}
		list = append(list, candidate{kind: "INJURY", from: i, to: end, weight: formed})
	}
	return list
}

// bloods finds types of blood: "o negative", "A+", "type a b positive".
func bloods(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		end, group := readBloodGroup(t, i)
		if end == i {
			continue
		}
		rhesus := oneOf(t.low(end), "positive negative plus minus pos neg")
		cue := t.near(i, 7, "blood") || t.low(i-1) == "type" && (t.low(end) == "blood" || rhesus)
		switch {
		case rhesus && (cue || t.low(end+1) == "blood" || oneOf(group, "o ab") &&
			oneOf(t.low(end), "positive negative")):
			list = append(list, candidate{kind: "BLOOD_TYPE", from: i, to: end + 1, weight: cued, value: group + " " +
				t.low(end)})
		case oneOf(group, "a+ a- b+ b- ab+ ab- o+ o-") && (cue || t.at(i).caps), cue && t.low(i-1) == "type" &&
			oneOf(group, "a b ab o"):
			list = append(list, candidate{kind: "BLOOD_TYPE", from: i, to: end, weight: cued, value: group})
		}
	}
	return list
}

// readBloodGroup reads a, b, ab, "a b" or o at i.
func readBloodGroup(t *text, i int) (int, string) {
	if t.low(i) == "a" && t.low(i+1) == "b" {
		return i + 2, "ab"
	}
	if oneOf(t.low(i), "a b ab o oh a+ a- b+ b- ab+ ab- o+ o-") && t.low(i-1) != "a" {
		group := t.low(i)
		if group == "oh" {
			group = "o"
		}
		return i + 1, group
	}
	return i, ""
}

var doseForm = regexp.MustCompile(`^(?i)\d[\d.,]{0,8}(mg|mcg|µg|ml|cc|iu)$`)

// doses finds "20mg", "five hundred milligrams", "two tablets".
func doses(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if isWrittenDose(t, i) {
			list = append(list, candidate{kind: "DOSE", from: i, to: i + 1, weight: formed})
		} else if to := doseEnd(t, i); to > i && !(isDigit(t, i) && continuesNumber(t, i)) {
			list = append(list, candidate{kind: "DOSE", from: i, to: to, weight: formed})
		}
	}
	return list
}

// isWrittenDose reports whether the token at i is a dose such as "20mg".
func isWrittenDose(t *text, i int) bool { return doseForm.MatchString(t.at(i).raw) && !isFood(t, i+1) }

func isFood(t *text, i int) bool { return oneOf(t.low(i), "of") && oneOf(t.low(i+1), foods) }

// doseEnd reads "five hundred milligrams", "two tablets", "half a tablet", "one to two puffs".
func doseEnd(t *text, i int) int {
	end := tallyEnd(t, i)
	if end == i || !oneOf(t.low(end), measures) || t.at(end-1).after != 0 || isFood(t, end+1) {
		return i
	}
	if oneOf(t.low(end), "units unit drops drop") &&
		!t.near(i, 8, "take takes inject insulin dose inhale doctor prescribed put taking ear eye") &&
		!isMedicine(t, end+1) {
		return i
	}
	return end + 1
}

// isMedicine reports whether "of" a drug, or a drug, follows at i.
func isMedicine(t *text, i int) bool {
	if t.low(i) == "of" {
		i++
	}
	return t.phrase(i, drug) > i
}

var icdForm = regexp.MustCompile(`^[A-TV-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4}$`)

// writtenCodes finds codes of diagnoses (ICD-10) with their point: "E11.9".
func writtenCodes(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if raw := t.at(i).raw; icdForm.MatchString(raw) {
			list = append(list, candidate{kind: "MEDICAL_CODE", from: i, to: i + 1, weight: formed,
				value: strings.ReplaceAll(raw, ".", "")})
		}
	}
	return list
}
