package entities

// trait is what a word list says about people, and when it counts.
type trait struct {
	kind    string
	classes class
	counts  func(t *text, i, end int) bool // nil: always
}

func (t *text) traits() []trait {
	return []trait{
		{"LANGUAGE", tongue, nil},
		{"LANGUAGE", tongueOrigin, (*text).ofTongue},
		{"ORIGIN", origin, nil},
		{"ORIGIN", tongueOrigin, func(t *text, i, end int) bool {
			return !t.ofTongue(i, end) && (t.low(i) != "polish" || t.ofPeople(i, end))
		}},
		{"RELIGION", religion, (*text).religious},
		{"POLITICAL_AFFILIATION", politics, nil},
		{"GENDER", gender, (*text).ofGender},
		{"SEXUALITY", sexuality, (*text).ofSexuality},
		{"MARITAL_STATUS", marital, (*text).ofMarriage},
		{"ZODIAC_SIGN", zodiac, (*text).ofStars},
		{"OCCUPATION", occupation, (*text).ofWork},
		{"OCCUPATION", occupationUnsure, func(t *text, i, end int) bool { return t.asWork(i) && t.ofWork(i, end) }},
		{"DRUG", drug, nil},
		{"CONDITION", condition, func(t *text, i, end int) bool {
			return t.low(i) != "cancer" || !t.ofStars(i, end) && t.low(end) != "center"
		}},
		{"MEDICAL_PROCESS", procedure, nil},
	}
}

// traits finds what the word lists say about people.
func traits(t *text) []candidate {
	var list []candidate
	for _, r := range t.traits() {
		for i := range t.tokens {
			if end := t.phrase(i, r.classes); end > i && (r.counts == nil || r.counts(t, i, end)) {
				list = append(list, candidate{kind: r.kind, from: i, to: end, weight: listed})
			}
		}
	}
	return list
}

func (t *text) ofTongue(i, end int) bool {
	return t.near(i, 4, "speak speaks speaking spoken spoke language languages fluent translate translated translation interpreter learn learning learned "+
		"study studying bilingual talk understand understands accent say write written pronounce taught teaches") ||
		one(t.low(end), "language speaking speaker interpreter translation translator lessons class classes version subtitles interpreter accent grammar") ||
		t.low(i-1) == "in" && t.low(end) != "food" || t.low(i-1) == "into"
}

func (t *text) ofPeople(i, end int) bool {
	return one(t.low(i-1), "i'm am is are was he she we're you're they're being half part of") || t.proper(i) ||
		one(t.low(end), "citizen citizens descent origin nationality national passport heritage family woman man people immigrant parents")
}

func (t *text) religious(i, end int) bool {
	return !t.is(i, givenUnsure) || t.proper(i) && !t.is(end, family) || one(t.low(i-1), "a is am i'm are devout practicing born") && !t.is(end, family) ||
		one(t.low(end), "church faith family values community school beliefs")
}

func (t *text) ofGender(i, end int) bool {
	if one(t.low(i), "man woman") {
		return t.near(i, 4, "identify identifies identified gender sex transitioned")
	}
	return !one(t.low(end), "connector voice voices lead plug")
}

func (t *text) ofSexuality(i, end int) bool {
	if t.low(i) != "straight" {
		return true
	}
	return one(t.low(i-1), "i'm am is as") && (t.ends(end-1) || one(t.low(end), "and or not but")) && t.near(i, 6, "identify gay sexuality orientation identifies")
}

func (t *text) ofMarriage(i, end int) bool {
	if !one(t.low(i), "single separated engaged widow") {
		return !one(t.low(end), "with couple")
	}
	if t.near(i, 4, "marital relationship") {
		return true
	}
	subject := t.low(i-1) == "you" && t.low(i-2) == "are" || one(t.low(i-1), "i'm am is currently still she he legally recently are was") || t.low(i-1) == "a" && one(t.low(i), "widow")
	if t.low(i) == "engaged" && one(t.low(end), "in with by") || t.low(i) == "separated" && one(t.low(end), "by into the") {
		return false
	}
	if t.low(i) == "single" && end < len(t.tokens) && t.at(i).after == 0 {
		return subject && one(t.low(end), "and mom mother dad father parent now but again with no so or") || t.low(i-1) == "a" && one(t.low(end), "mom mother dad father parent")
	}
	person := one(t.low(i-2), "i he she they we are") || one(t.low(i-1), "i'm she he") || t.low(i-1) == "a"
	return subject && person
}

func (t *text) ofStars(i, end int) bool {
	cues := "zodiac sign horoscope star astrology"
	near := t.near(i, 7, cues) || one(t.low(end), "sign zodiac horoscope")
	rising := one(t.low(end), "rising moon season")
	if one(t.low(i), "cancer leo") {
		return near || rising
	}
	return true
}

// ofWork says whether the occupation at i is no part of another thing: "driver's license", "doctor smith".
func (t *text) ofWork(i, end int) bool {
	return !one(t.low(end), "license licence office appointment") && !(one(t.low(end-1), doctors) && (t.is(end, given|family) || t.proper(end)))
}

// asWork says whether the words before an unsure occupation make it one.
func (t *text) asWork(i int) bool {
	if one(t.low(i-1), "a an") {
		return one(t.low(i-2), "as is am i'm was became become becoming he she being you're hired need works") && !one(t.low(i-2), "such")
	}
	return t.low(i-1) == "as" && one(t.low(i-2), "work works worked working job") || t.near(i, 3, "occupation profession")
}

// injuries finds what was hurt: "broken leg", "sprained my ankle", "fractured rib", "concussion" is listed.
func injuries(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if one(t.low(i), "concussion whiplash hematoma frostbite sunburn dislocation") {
			list = append(list, candidate{kind: "INJURY", from: i, to: i + 1, weight: listed})
		}
		if !one(t.low(i), "broken broke fractured fracture sprained sprain torn tore dislocated bruised burned burnt injured hurt strained ruptured twisted crushed cut pulled") {
			continue
		}
		at := i + 1
		for n := 0; n < 3 && one(t.low(at), "my his her your their a the left right lower upper in of"); n++ {
			at++
		}
		end := t.phrase(at, body)
		if end == at || t.at(i).after != 0 || one(t.low(i), "cut pulled hurt crushed") && at == i+1 {
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
		end, group := t.bloodGroup(i)
		if end == i {
			continue
		}
		rhesus := one(t.low(end), "positive negative plus minus pos neg")
		cue := t.near(i, 7, "blood") || t.low(i-1) == "type" && (t.low(end) == "blood" || rhesus)
		switch {
		case rhesus && (cue || t.low(end+1) == "blood" || one(group, "o ab") && one(t.low(end), "positive negative")):
			list = append(list, candidate{kind: "BLOOD_TYPE", from: i, to: end + 1, weight: cued, value: group + " " + t.low(end)})
		case one(group, "a+ a- b+ b- ab+ ab- o+ o-") && (cue || t.at(i).caps), cue && t.low(i-1) == "type" && one(group, "a b ab o"):
			list = append(list, candidate{kind: "BLOOD_TYPE", from: i, to: end, weight: cued, value: group})
		}
	}
	return list
}

// bloodGroup reads a, b, ab, "a b" or o at i.
func (t *text) bloodGroup(i int) (int, string) {
	if t.low(i) == "a" && t.low(i+1) == "b" {
		return i + 2, "ab"
	}
	if one(t.low(i), "a b ab o oh a+ a- b+ b- ab+ ab- o+ o-") && t.low(i-1) != "a" {
		group := t.low(i)
		if group == "oh" {
			group = "o"
		}
		return i + 1, group
	}
	return i, ""
}
