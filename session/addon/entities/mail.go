package entities

import (
	"regexp"
	"strings"
)

var (
	mailForm = regexp.MustCompile(`^(?:mailto:)?[\p{L}\d._%+-]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,5}$`)
	urlForm  = regexp.MustCompile(`^(?i:https?://[^\s]{3,}|www\.[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,5}(?:[/?#][^\s]*)?)$`)
	hostForm = regexp.MustCompile(`^(?:[a-zA-Z\d-]{1,63}\.){1,4}([a-zA-Z]{2,10})(?:/[^\s]*)?$`)
)

// tops are the ends of internet names that are told when spoken.
const tops = "com org net edu gov mil io co uk de fr es it nl eu ca au us info biz dev app ai tv me ch at be se no dk fi pl pt " +
	"ie in jp cn br ru nz za mx online shop store tech cloud site blog museum int"

// localLimit and hostLimit bound the tokens of a spoken address, which may be spelt; proseLimit bounds them where it is told
// by words before that it is one, and it has more than a few words.
const localLimit, hostLimit, proseLimit = 34, 30, 14

// mails finds addresses of e-mail: written ones, and "john dot smith at example dot com".
func mails(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if raw := t.at(i).raw; mailForm.MatchString(raw) {
			list = append(list, candidate{kind: "EMAIL_ADDRESS", from: i, to: i + 1, weight: checked, value: strings.ToLower(strings.TrimPrefix(raw, "mailto:"))})
		} else if c, ok := t.spokenMail(i); ok {
			list = append(list, c)
		}
	}
	return list
}

// spokenMail is the address around the "at" at i.
func (t *text) spokenMail(i int) (candidate, bool) {
	if !one(t.low(i), "at @") || i == 0 {
		return candidate{}, false
	}
	to, ok := t.host(i + 1)
	if !ok {
		return candidate{}, false
	}
	from := t.local(i)
	if from == i {
		return candidate{}, false
	}
	value := t.spelt(from, i, "") + "@" + t.spelt(i+1, to, "")
	return candidate{kind: "EMAIL_ADDRESS", from: from, to: to, weight: checked, value: value}, true
}

// noLocals are words before "at" that belong to a visit rather than an address.
const noLocals = "us me them look online site website page it out available located visit find are is live go found check here " +
	"there work works working based support'll information more details shop download file hosted registered apply or"

// local is where the part before the "at" at i begins; i where it is none.
func (t *text) local(i int) int {
	if one(t.low(i-1), noLocals) {
		return i
	}
	if from, ok := t.announcedLocal(i); ok {
		return from
	}
	from, word := i, false
	for n := 0; from > 0 && n < localLimit && (t.at(from-1).after == 0 || t.seam(from)); n++ {
		low := t.low(from - 1)
		switch {
		case one(low, "dot period underscore dash hyphen plus") && from < i && from > 1:
			word = false
		case t.digitish(from-1) || one(low, "oh double triple") || len(low) == 1 && !one(low, "a i"):
		case low == "a" && from < i && len(t.low(from)) == 1:
		case low == "i" && (from == i || len(t.low(from)) == 1) && (len(t.low(from-2)) == 1 || t.seam(from-1)):
		case !word && !one(low, asides+" is it's address email mail e-mail a an of as"):
			word = true
		default:
			return t.openLocal(from, i)
		}
		from--
	}
	return t.openLocal(from, i)
}

// openLocal moves past signs at the beginning of a local part.
func (t *text) openLocal(from, i int) int {
	for from < i && one(t.low(from), "dot period underscore dash hyphen plus") {
		from++
	}
	return from
}

// announcedLocal is the beginning of a local part right behind "email is" and the like: all of it counts.
func (t *text) announcedLocal(i int) (int, bool) {
	words := 0
	for from := i - 1; from > 0 && i-from <= localLimit; from-- {
		if !t.spells(from) && !dotted(t.low(from)) {
			words++
		}
		if words > 4 && i-from > proseLimit {
			break
		}
		if t.at(from-1).after == '.' && from-1 < i-1 && !t.mailWord(from-1) && !t.seam(from) {
			return i, false
		}
		if one(t.low(from-1), "is it's was be to") || t.mailWord(from-1) {
			near := t.mailWord(from-1) || t.mailWord(from-2) || t.mailWord(from-3)
			return from, near
		}
	}
	return i, false
}

func (t *text) mailWord(i int) bool {
	return one(t.low(i), "email mail emailing gmail") || t.low(i) == "address" && one(t.low(i-1), "email mail")
}

// host is where an internet name that begins at i ends: "example dot co dot uk".
func (t *text) host(i int) (int, bool) {
	if hostForm.MatchString(t.at(i).raw) {
		return i + 1, one(ending2(t.at(i).raw), tops)
	}
	label, last, spelt := 0, -1, false
	for at := i; at < len(t.tokens) && at < i+hostLimit; at++ {
		low := t.low(at)
		switch {
		case one(low, "dot period") && (label > 0 || spelt) && label <= 5:
			if top := t.top(at + 1); top > at+1 {
				last = top
			} else if last > 0 {
				return last, true
			}
			label, spelt = 0, false
		case one(low, "at and is or @"):
			return last, last > 0
		case last == at:
			return last, true
		case len(low) == 1:
			spelt = true
		case !one(low, "dash hyphen"):
			label++
		}
		if at+1 == last && !one(t.low(last), "dot period") {
			return last, true
		}
		if t.at(at).after == '.' {
			break
		}
	}
	return last, last > 0
}

// top is where the end of an internet name at i ends, also one spelt of two or three letters; i where there is none.
func (t *text) top(i int) int {
	if one(t.low(i), tops) {
		return i + 1
	}
	joined := ""
	for at := i; at < i+3 && len(t.low(at)) == 1; at++ {
		if joined += t.low(at); len(joined) > 1 && one(joined, tops) && len(t.low(at+1)) != 1 {
			return at + 1
		}
	}
	return i
}

func ending2(host string) string {
	host, _, _ = strings.Cut(strings.ToLower(host), "/")
	return host[strings.LastIndexByte(host, '.')+1:]
}

// urls finds addresses of the web: "https://example.com/x", "example.com", "www dot example dot com slash help".
func urls(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		raw := t.at(i).raw
		if m := hostForm.FindStringSubmatch(raw); urlForm.MatchString(raw) || m != nil && one(ending2(raw), tops) && !abbreviated(raw) && ending2(raw) != "at" {
			list = append(list, candidate{kind: "URL", from: i, to: i + 1, weight: formed, value: plainURL(raw)})
		} else if c, ok := t.spokenURL(i); ok {
			list = append(list, c)
		}
	}
	return list
}

// plainURL is an address without what is often left out.
func plainURL(s string) string {
	s = strings.ToLower(s)
	s = strings.TrimPrefix(strings.TrimPrefix(s, "https://"), "http://")
	return strings.TrimSuffix(strings.TrimPrefix(s, "www."), "/")
}

// spokenURL is the address whose last word before the first "dot" is at i.
func (t *text) spokenURL(i int) (candidate, bool) {
	if !one(t.low(i+1), "dot") || one(t.low(i), "dot the a an") || one(t.low(i-1), "dot") || t.at(i).after != 0 {
		return candidate{}, false
	}
	from := i
	for one(t.low(from-1), "dash hyphen") && from > 1 {
		from -= 2
	}
	to, ok := t.host(from)
	if t.low(i) == "www" || t.low(i) == "w" && t.low(i-1) == "w" {
		to, ok = t.host(i + 2)
		if t.low(i) == "w" {
			from = max(0, i-2)
		}
	}
	if !ok {
		return candidate{}, false
	}
	from = t.scheme(from)
	to = t.path(to)
	value := plainURL(t.spelt(from, to, ""))
	return candidate{kind: "URL", from: from, to: to, weight: formed, value: value}, true
}

// scheme is where "https colon slash slash" before i begins; else i.
func (t *text) scheme(i int) int {
	if i >= 4 && t.low(i-1) == "slash" && t.low(i-2) == "slash" && t.low(i-3) == "colon" && one(t.low(i-4), "http https") {
		return i - 4
	}
	if i >= 3 && t.low(i-1) == "slash" && t.low(i-2) == "slash" && one(t.low(i-3), "http https") {
		return i - 3
	}
	return i
}

// path goes on behind a host with "slash help", at most four times.
func (t *text) path(i int) int {
	for n := 0; n < 4 && one(t.low(i), "slash forward") && i+1 < len(t.tokens) && t.at(i-1).after == 0; n++ {
		if t.low(i) == "forward" {
			if t.low(i+1) != "slash" || i+2 >= len(t.tokens) {
				return i
			}
			i++
		}
		i += 2
		for one(t.low(i), "dash hyphen underscore") && i+1 < len(t.tokens) {
			i += 2
		}
	}
	return i
}

const suffixes = "pdf doc docx xls xlsx csv txt ppt pptx jpg jpeg png gif zip mp3 mp4 wav html json xml exe md tar gz log py"

var fileForm = regexp.MustCompile(`^[\p{L}\d_.()/\\-]{1,200}\.([a-zA-Z\d]{2,5})$`)

// filenames finds "report.pdf" and "report underscore final dot pdf".
func filenames(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if m := fileForm.FindStringSubmatch(t.at(i).raw); m != nil && one(strings.ToLower(m[1]), suffixes) {
			list = append(list, candidate{kind: "FILENAME", from: i, to: i + 1, weight: formed, value: strings.ToLower(t.at(i).raw)})
		}
		if t.low(i) != "dot" || i == 0 || !one(t.low(i+1), suffixes) || t.at(i-1).after != 0 {
			continue
		}
		from := i - 1
		for n := 0; n < 6 && from > 1 && one(t.low(from-1), "underscore dash hyphen dot"); n++ {
			from -= 2
		}
		list = append(list, candidate{kind: "FILENAME", from: from, to: i + 2, weight: formed, value: t.spelt(from, i+2, "")})
	}
	return list
}
