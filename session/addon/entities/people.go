package entities

// trait is a type of entity that word lists describe people with, and the condition under which a
// word counts.
type trait struct {
	kind    string
	classes class
	counts  func(t *text, i, end int) bool // nil: always
}

func traitTable(t *text) []trait {
	return []trait{
		{"LANGUAGE", languageName, nil},
		{"LANGUAGE", languageOrOrigin, isLanguage},
		{"ORIGIN", origin, nil},
		{"ORIGIN", languageOrOrigin, func(t *text, i, end int) bool {
			return !isLanguage(t, i, end) && (t.low(i) != "polish" || isPeople(t, i, end))
		}},
		{"RELIGION", religion, isReligion},
		{"POLITICAL_AFFILIATION", politics, nil},
		{"GENDER", gender, isGender},
		{"SEXUALITY", sexuality, isSexuality},
		{"MARITAL_STATUS", marital, isMaritalStatus},
		{"ZODIAC_SIGN", zodiac, isZodiacSign},
		{"OCCUPATION", occupation, isOccupation},
		{"OCCUPATION", occupationUnsure, func(t *text, i, end int) bool {
			return isUnsureOccupation(t, i) &&
				isOccupation(t, i, end)
		}},
		{"DRUG", drug, nil},
		{"CONDITION", condition, func(t *text, i, end int) bool {
			return t.low(i) != "cancer" || !isZodiacSign(t, i, end) && t.low(end) != "center"
		}},
		{"MEDICAL_PROCESS", procedure, nil},
	}
}

// traits finds the words that describe people, by the word lists.
func traits(t *text) []candidate {
	var list []candidate
	for _, r := range traitTable(t) {
		for i := range t.tokens {
			if end := t.phrase(i, r.classes); end > i && (r.counts == nil || r.counts(t, i, end)) {
				list = append(list, candidate{kind: r.kind, from: i, to: end, weight: listed})
			}
		}
	}
	return list
}

func isLanguage(t *text, i, end int) bool {
	return t.near(i, 4, "speak speaks speaking spoken spoke language languages fluent translate translated "+
		"translation interpreter learn learning learned "+
		"study studying bilingual talk understand understands accent say write written pronounce taught teaches") ||
		oneOf(t.low(end), "language speaking speaker interpreter translation translator lessons class classes "+
			"version subtitles interpreter accent grammar") ||
		t.low(i-1) == "in" && t.low(end) != "food" || t.low(i-1) == "into"
}

func isPeople(t *text, i, end int) bool {
	return oneOf(t.low(i-1), "i'm am is are was he she we're you're they're being half part of") || t.proper(i) ||
		oneOf(t.low(end), "citizen citizens descent origin nationality national passport heritage family woman man "+
			"people immigrant parents")
}

func isReligion(t *text, i, end int) bool {
	return !t.is(i, givenUnsure) || t.proper(i) && !t.is(end, family) ||
		oneOf(t.low(i-1), "a is am i'm are devout practicing born") && !t.is(end, family) ||
		oneOf(t.low(end), "church faith family values community school beliefs")
}

func isGender(t *text, i, end int) bool {
	if oneOf(t.low(i), "man woman") {
		return t.near(i, 4, "identify identifies identified gender sex transitioned")
	}
	return !oneOf(t.low(end), "connector voice voices lead plug")
}

func isSexuality(t *text, i, end int) bool {
	if t.low(i) != "straight" {
		return true
	}
	return oneOf(t.low(i-1), "i'm am is as") && (t.ends(end-1) || oneOf(t.low(end), "and or not but")) &&
		t.near(i, 6, "identify gay sexuality orientation identifies")
}

func isMaritalStatus(t *text, i, end int) bool {
	if !oneOf(t.low(i), "single separated engaged widow") {
		return !oneOf(t.low(end), "with couple")
	}
	if t.near(i, 4, "marital relationship") {
		return true
	}
	subject := t.low(i-1) == "you" && t.low(i-2) == "are" ||
		oneOf(t.low(i-1), "i'm am is currently still she he legally recently are was") || t.low(i-1) == "a" &&
		oneOf(t.low(i), "widow")
	if t.low(i) == "engaged" && oneOf(t.low(end), "in with by") || t.low(i) == "separated" &&
		oneOf(t.low(end), "by into the") {
		return false
	}
	if t.low(i) == "single" && end < len(t.tokens) && t.at(i).after == 0 {
		return subject && oneOf(t.low(end), "and mom mother dad father parent now but again with no so or") ||
			t.low(i-1) == "a" && oneOf(t.low(end), "mom mother dad father parent")
	}
	person := oneOf(t.low(i-2), "i he she they we are") || oneOf(t.low(i-1), "i'm she he") || t.low(i-1) == "a"
	return subject && person
}

func isZodiacSign(t *text, i, end int) bool {
	cues := "zodiac sign horoscope star astrology"
	near := t.near(i, 7, cues) || oneOf(t.low(end), "sign zodiac horoscope")
	rising := oneOf(t.low(end), "rising moon season")
	if oneOf(t.low(i), "cancer leo") {
		return near || rising
	}
	return true
}

// isOccupation reports whether the occupation at i is no part of another thing: "driver's license",
// "doctor smith".
func isOccupation(t *text, i, end int) bool {
	return !oneOf(t.low(end), "license licence office appointment") && !(oneOf(t.low(end-1), doctors) &&
		(t.is(end, given|family) || t.proper(end)))
}

// isUnsureOccupation reports whether the words before an unsure occupation make it one.
func isUnsureOccupation(t *text, i int) bool {
	if oneOf(t.low(i-1), "a an") {
		return oneOf(t.low(i-2), "as is am i'm was became become becoming he she being you're hired need works") &&
			!oneOf(t.low(i-2), "such")
	}
	return t.low(i-1) == "as" && oneOf(t.low(i-2), "work works worked working job") ||
		t.near(i, 3, "occupation profession")
}
