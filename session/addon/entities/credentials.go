package entities

import "strings"

// ends of a spoken password or name of a user: what cannot be in it.
const asides = "and but so please thanks thank okay ok then because if when which what who i i'm we you he she " +
	"they my your the for to on at with or just not wrong incorrect expired invalid required reset too case also now"

// secrets finds what is announced as a password.
func secrets(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		end := announcementEnd(t, i, "password passphrase passcode passkey pin")
		if t.low(i) == "key" && oneOf(t.low(i-1), "wifi fi network wireless") ||
			isMemorable(t, i) {
			end = announcementEnd(t, i, "key word")
		}
		if from, to := passwordAsked(t, i); from < to {
			list = append(list, password(t, from, to))
			continue
		}
		if from, to := passwordBefore(t, i); from < to {
			list = append(list, password(t, from, to))
			continue
		}
		if end == i || end >= len(t.tokens) || isOtherPin(t, i) || isAmount(t, end) {
			continue
		}
		to := passwordEnd(t, end)
		if to > end && looksLikePassword(t, end, to) {
			list = append(list, password(t, end, to))
		}
	}
	return list
}

func password(t *text, from, to int) candidate {
	return candidate{kind: "PASSWORD", from: from, to: to, weight: cued, value: joinSpelled(t, from, to, " ")}
}

// isMemorable reports whether "word" at i is a "memorable word" or the like.
func isMemorable(t *text, i int) bool {
	return t.low(i) == "word" && oneOf(t.low(i-1), "memorable secret safe security")
}

// passwordAsked is the password that is answered where the token at i ends a question for one, and
// what is found is to be hidden: "your password?" "It's sunflower nineteen."; empty where there is
// none.
func passwordAsked(t *text, i int) (from, to int) {
	asked := oneOf(t.low(i), "password passphrase passcode") || isMemorable(t, i)
	if !t.hiding || !asked || !t.boundary(i+1) || !t.near(i, 6, "your the what is that") {
		return i, i
	}
	from = skipFillers(t, i+1)
	for k := i + 1; k < from; k++ {
		if oneOf(t.low(k), "your the") {
			return i, i // another question
		}
	}
	for to = from; to < len(t.tokens) && (to == from || !t.boundary(to)); to++ {
		if oneOf(t.low(to), functional) || to-from == 6 {
			return i, i
		}
	}
	if describesPassword(t, from) || oneOf(t.low(from), "sure okay ok yes yeah no sorry") {
		return i, i
	}
	return from, to
}

// passwordBefore is the password that is named only afterwards, at the end of its clause: "fluffy
// seventy seven is my password", "correct horse, that's the passphrase"; empty where there is none.
func passwordBefore(t *text, i int) (from, to int) {
	if !oneOf(t.low(i), "password passphrase passcode passkey") || t.joins(i+1) {
		return i, i
	}
	if to = announcedEnd(t, i); to == i {
		return i, i
	}
	signs, described := t.at(to-1).after != 0, 0 // signs: or said apart
	for from = to; from > 0 && (from == to || t.at(from-1).after == 0 && !t.boundary(from)); from-- {
		low := t.low(from - 1)
		if oneOf(low, functional) || oneOf(low, "okay ok yes yeah try use type enter well sorry") {
			break
		}
		if to-from == 6 {
			return i, i
		}
		if describesPassword(t, from-1) {
			described++
		}
		_, digits := readPiece(t, from-1)
		signs = signs || digits
	}
	if described == to-from || !signs && to-from > 1 || !looksLikePassword(t, from, to) {
		return i, i
	}
	return from, to
}

// passwordEnd is where a password that begins at i ends: at a mark, but for commas between signs
// and letters.
func passwordEnd(t *text, i int) int {
	to := i
	for to < len(t.tokens) && to-i < 12 && maybePassword(t, to, to == i) && (to == i || !t.boundary(to) ||
		passwordContinues(t, to)) {
		to++
		if after := t.at(to - 1).after; after == '.' || after == ',' && !isDictated(t, to) {
			break
		}
		if next := skipThen(t, to); isDictated(t, next) {
			to = next
		}
	}
	return to
}

// skipThen passes over "then" and "and then" at i.
func skipThen(t *text, i int) int {
	switch {
	case isAndThen(t, i):
		return i + 2
	case t.low(i) == "then":
		return i + 1
	}
	return i
}

// isDictated reports whether what is spelt continues at i: with a sign, or with one word of a list.
func isDictated(t *text, i int) bool {
	switch next := skipThen(t, i); {
	case i >= len(t.tokens):
		return false
	case isSpelling(t, i) || oneOf(t.low(i), "capital uppercase lowercase upper lower dollar hash hashtag exclamation "+
		"percent ampersand asterisk star pound caret question bang dot dash hyphen underscore slash"):
		return true
	case next > i:
		return isDictated(t, next)
	}
	return t.at(i).after != 0 && isSpelling(t, i-1) && !oneOf(t.low(i), asides+" "+functional+" sir ma'am right")
}

// announcementEnd is where "name is", "name to", "name it's", "name:" ends for one of the names at
// i; else i.
func announcementEnd(t *text, i int, names string) int {
	if !oneOf(t.low(i), names) {
		return i
	}
	switch {
	case strings.HasSuffix(strings.ToLower(t.at(i).raw), "'s") && t.at(i).low != t.at(i).raw:
		return i + 1
	case oneOf(t.low(i+1), "is was will") && t.low(i+2) == "be":
		return i + 3
	case oneOf(t.low(i+1), "is was to equals colon as"):
		return i + 2
	case t.at(i).after == ',':
		return i + 1
	case t.at(i).after == '.' && oneOf(t.low(i+1), "it"):
		return skipFillers(t, i+1)
	}
	return i
}

// maybePassword reports whether the token at i may belong to a password.
func maybePassword(t *text, i int, first bool) bool {
	low := t.low(i)
	if first {
		return !describesPassword(t, i)
	}
	if low == "i" && len(t.low(i-1)) == 1 && (len(t.low(i+1)) == 1 || i+1 == len(t.tokens) || t.boundary(i+1)) {
		return true
	}
	return !oneOf(low, asides)
}

// passwordContinues reports whether a password may continue in the utterance that begins at i: it
// is spelt there, or is a word or two that are not a date or the like. Anything longer is a
// sentence.
func passwordContinues(t *text, i int) bool {
	end, spelt := i, true
	for end < len(t.tokens) && maybePassword(t, end, false) && (end == i || !t.boundary(end)) {
		spelt = spelt && (isSpelling(t, end) && months[t.low(end)] == 0 || dotted(t.low(end)) ||
			oneOf(t.low(end), "capital uppercase lowercase"))
		end++
		if t.at(end-1).after != 0 {
			break
		}
	}
	_, _, dated := readDate(t, i)
	return spelt || end-i <= 2 && !dated && !oneOf(t.low(i), functional+" "+birthWords+
		" got it perfect great alright next")
}

// describesPassword reports whether a password "is" what stands at i rather than consisting of it.
func describesPassword(t *text, i int) bool {
	return oneOf(t.low(i),
		asides+" a an it that this working being same still about in very going safe secure strong weak "+
			"stored written good bad easy hard long short correct right protected always never really pretty "+
			"something saved changed change locked missing there here no only all set stuck different private "+
			"confidential sent be been")
}

// looksLikePassword reports whether the tokens look like a password: not one more ordinary word.
func looksLikePassword(t *text, from, to int) bool {
	return to-from > 1 || !t.is(from, common) || t.at(from).raw != t.at(from).low
}

// marks are spoken signs within passwords, names of users, and addresses.
var marks = map[string]string{"dot": ".", "period": ".", "point": ".", "underscore": "_", "dash": "-", "hyphen": "-",
	"plus": "+",
	"at":   "@", "slash": "/", "colon": ":"}

// joinSpelled joins the tokens [from,to) as they would be written: spoken digits and signs as such,
// gap between words.
func joinSpelled(t *text, from, to int, gap string) string {
	var b strings.Builder
	glue := true
	for i := from; i < to; {
		if p, ok := readPiece(t, i); ok && p.to <= to {
			b.WriteString(p.digits)
			i, glue = p.to, true
			continue
		}
		if s, ok := marks[t.low(i)]; ok {
			b.WriteString(s)
			i, glue = i+1, true
			continue
		}
		if !glue {
			b.WriteString(gap)
		}
		b.WriteString(strings.ToLower(t.tokens[i].raw))
		i, glue = i+1, false
	}
	return b.String()
}

// handles finds names of users: "@jane_doe", or what is announced as one.
func handles(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if raw := t.at(i).raw; len(raw) > 2 && len(raw) < 64 && raw[0] == '@' && !strings.ContainsAny(raw[1:], "@/") {
			list = append(list, candidate{kind: "USERNAME", from: i, to: i + 1, weight: formed,
				value: strings.ToLower(raw[1:])})
			continue
		}
		end := announcementEnd(t, i, "username login handle userid screenname")
		if t.low(i) == "name" && oneOf(t.low(i-1), "user screen login account steam display player") ||
			t.low(i) == "id" && oneOf(t.low(i-1), "user login skype") {
			end = announcementEnd(t, i, "name id")
		}
		if oneOf(t.low(i), socials) {
			if end = announcementEnd(t, i, socials); t.low(end) != "at" && t.low(end+1) != "underscore" {
				end = i
			}
		}
		if end == i || end >= len(t.tokens) || !t.english {
			continue
		}
		if t.low(end) == "at" {
			end++
		}
		if to := userNameEnd(t, end); to > end && !describesPassword(t, end) {
			list = append(list, candidate{kind: "USERNAME", from: end, to: to, weight: cued, value: joinSpelled(t, end,
				to, "")})
		}
	}
	return list
}

// socials are services whose users have a name there.
const socials = "instagram twitter tiktok snapchat telegram discord twitch skype facebook linkedin insta"

// hasDigitsSoon reports whether digits follow at i, after a word more at most.
func hasDigitsSoon(t *text, i int) bool {
	for n := 0; n < 2 && t.joins(i+n) && !oneOf(t.low(i+n), asides+" "+functional); n++ {
		if _, ok := readPiece(t, i+n); ok {
			return true
		}
	}
	return false
}

// userNameEnd returns where a user name that begins at i ends. Words are part of it only after a
// sign, and before digits; letters and digits always are.
func userNameEnd(t *text, i int) int {
	word := false
	for n := 0; i < len(t.tokens) && n < 16; n++ {
		low := t.low(i)
		if p, ok := readPiece(t, i); ok {
			i = p.to
		} else if marks[low] != "" && low != "at" && !oneOf(t.low(i+1), asides) && i+1 < len(t.tokens) {
			word = false
			i++
		} else if len(low) == 1 && !(oneOf(low, "a i") && word) {
			i++
		} else if !oneOf(low, asides) && (!word || hasDigitsSoon(t, i+1)) {
			word = true
			i++
		} else {
			break
		}
		if t.at(i-1).after != 0 {
			break
		}
	}
	for oneOf(t.low(i-1), "dot period point underscore dash hyphen plus slash colon") {
		i--
	}
	return i
}
