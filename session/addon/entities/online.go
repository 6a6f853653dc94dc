package entities

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var (
	mailForm = lazily(`^(?:mailto:)?[\p{L}\d._%+-]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,5}$`)
	urlForm  = lazily(`^(?i:https?://[^\s]{3,}|www\.[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,5}(?:[/?#][^\s]*)?)$`)
	hostForm = lazily(`^(?:[a-zA-Z\d-]{1,63}\.){1,4}([a-zA-Z]{2,10})(?:/[^\s]*)?$`)
)

// lazily compiles an expression when it is first used. Those that count many characters are as
// large as what they count: to compile them takes longer than all else that the program does when
// it starts.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// tops are the top-level domains that are recognized when spoken.
const tops = "com org net edu gov mil io co uk de fr es it nl eu ca au us info biz dev app ai tv me ch at be se no " +
	"dk fi pl pt ie in jp cn br ru nz za mx online shop store tech cloud site blog museum int " +
	"ру рф ком нет орг укр"

// localLimit and hostLimit bound the tokens of a spoken address, which may be spelt; proseLimit
// bounds them where it is announced by words before that it is one, and it has more than a few
// words.
const localLimit, hostLimit, proseLimit = 34, 30, 14

// mails finds addresses of e-mail: written ones, and "john dot smith at example dot com".
func mails(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if raw := t.at(i).raw; mailForm().MatchString(raw) {
			list = append(list, candidate{kind: "EMAIL_ADDRESS", from: i, to: i + 1, weight: checked,
				value: strings.ToLower(strings.TrimPrefix(raw, "mailto:"))})
		} else if c, ok := readSpokenMail(t, i); ok {
			list = append(list, c)
		}
	}
	return list
}

// readSpokenMail is the address around the "at" at i.
func readSpokenMail(t *text, i int) (candidate, bool) {
	if !oneOf(t.low(i), "at @") || i == 0 {
		return candidate{}, false
	}
	to, ok := readHost(t, i+1)
	if !ok {
		return candidate{}, false
	}
	from := localPartStart(t, i)
	if from == i {
		return candidate{}, false
	}
	value := joinSpelled(t, from, i, "") + "@" + joinSpelled(t, i+1, to, "")
	return candidate{kind: "EMAIL_ADDRESS", from: from, to: to, weight: checked, value: value}, true
}

// noLocals are words before "at" that belong to a visit rather than an address.
const noLocals = "us me them look online site website page it out available located visit find are is live go " +
	"found check here there work works working based support'll information more details shop download file hosted " +
	"registered apply or"

// localPartStart is where the part before the "at" at i begins; i where it is none.
func localPartStart(t *text, i int) int {
	if oneOf(t.low(i-1), noLocals) {
		return i
	}
	if from, ok := announcedLocalPart(t, i); ok {
		return from
	}
	from, word := i, false
	for n := 0; from > 0 && n < localLimit; n++ {
		if t.at(from-1).after != 0 && !t.boundary(from) && !isListed(t, from-1) {
			break
		}
		low := t.low(from - 1)
		switch spelt := letterStart(t, from); {
		case spelt < from:
			from = spelt + 1
		case isListed(t, from-1):
		case oneOf(low, "dot period underscore dash hyphen plus") && from < i && from > 1:
			word = false
		case isDigit(t, from-1) || oneOf(low, "oh double triple") || len(low) == 1 && !oneOf(low, "a i"):
		case low == "a" && (from < i && len(t.low(from)) == 1 || from == i && len(t.low(from-2)) == 1):
		case low == "i" && (from == i || len(t.low(from)) == 1) && (len(t.low(from-2)) == 1 || t.boundary(from-1)):
		case !word && !oneOf(low, asides+" is it address email mail e-mail a an of as") &&
			!oneOf(low, fillersOf[t.language]) && !oneOf(low, mailWordsOf[t.language]):
			word = true
		default:
			return skipLeadingSigns(t, from, i)
		}
		from--
	}
	return skipLeadingSigns(t, from, i)
}

// isListed reports whether the token at i is a letter or digit, or the word that stands for one,
// followed by a comma: "j, o, h for hotel,".
func isListed(t *text, i int) bool {
	return t.at(i).after == ',' && (len(t.low(i)) == 1 || isDigit(t, i) || letterStart(t, i+1) <= i)
}

// letterStart is where a letter begins that ends before i with a word for it, "j for juliet",
// "j, as in juliet"; i where there is none.
func letterStart(t *text, i int) int {
	links := letterLinks
	if !t.english {
		links += " wie comme come como de van als som"
	}
	for _, from := range []int{i - 3, i - 4} {
		if len(t.low(from)) == 1 && len(t.low(i-1)) > 1 && letterEnd(t, from, links) == i {
			return from
		}
	}
	return i
}

// skipLeadingSigns moves past signs at the beginning of a local part.
func skipLeadingSigns(t *text, from, i int) int {
	for from < i && oneOf(t.low(from), "dot period underscore dash hyphen plus") {
		from++
	}
	return from
}

// announcedLocalPart returns where a local part begins that directly follows "email is" and the
// like: all words from there to i belong to it.
func announcedLocalPart(t *text, i int) (int, bool) {
	words := 0
	for from := i - 1; from > 0 && i-from <= localLimit; from-- {
		if !isSpelling(t, from) && !dotted(t.low(from)) {
			words++
		}
		if words > 4 && i-from > proseLimit {
			break
		}
		if t.at(from-1).after == '.' && from-1 < i-1 && !isMailWord(t, from-1) && !t.boundary(from) {
			return i, false
		}
		if t.low(from-1) == "it" { // "it's"
			return from, isMailSpokenOf(t, from-1, 12)
		}
		if oneOf(t.low(from-1), "is was be to at") || oneOf(t.low(from-1), fillersOf[t.language]) ||
			isMailWord(t, from-1) {
			return from, isMailSpokenOf(t, from, 3)
		}
	}
	return i, false
}

// isMailSpokenOf reports whether one of the n words before i is of e-mail.
func isMailSpokenOf(t *text, i, n int) bool {
	for k := i - 1; k >= i-n; k-- {
		if isMailWord(t, k) {
			return true
		}
	}
	return false
}

func isMailWord(t *text, i int) bool {
	return oneOf(t.low(i), "email mail emailing gmail") || t.low(i) == "address" && oneOf(t.low(i-1), "email mail") ||
		oneOf(t.low(i), mailWordsOf[t.language])
}

// mailWordsOf are the words of other languages that announce an address of e-mail.
var mailWordsOf = map[string]string{
	"de": "mailadresse emailadresse adresse", "fr": "mél courriel adresse", "es": "correo electrónico dirección",
	"it": "posta elettronica indirizzo", "nl": "mailadres emailadres adres",
	"pt": "correio eletrónico eletrônico endereço",
}

// readHost is where an internet name that begins at i ends: "example dot co dot uk".
func readHost(t *text, i int) (int, bool) {
	if hostForm().MatchString(t.at(i).raw) {
		return i + 1, oneOf(topLevelDomain(t.at(i).raw), tops)
	}
	label, last, spelt := 0, -1, false
	for at := i; at < len(t.tokens) && at < i+hostLimit; at++ {
		low := t.low(at)
		switch {
		case oneOf(low, "dot period") && (label > 0 || spelt) && label <= 5:
			if top := topLevelEnd(t, at+1); top > at+1 {
				last = top
			} else if last > 0 {
				return last, true
			}
			label, spelt = 0, false
		case oneOf(low, "at and is or @"):
			return last, last > 0
		case last == at:
			return last, true
		case len(low) == 1:
			spelt = true
		case !oneOf(low, "dash hyphen"):
			label++
		}
		if at+1 == last && !oneOf(t.low(last), "dot period") {
			return last, true
		}
		if t.at(at).after == '.' {
			break
		}
	}
	return last, last > 0
}

// topLevelEnd is where the end of an internet name at i ends, also one spelt of two or three
// letters; i where there is none.
func topLevelEnd(t *text, i int) int {
	if oneOf(t.low(i), tops) {
		return i + 1
	}
	joined := ""
	for at := i; at < i+3 && len(t.low(at)) == 1; at++ {
		if joined += t.low(at); len(joined) > 1 && oneOf(joined, tops) && len(t.low(at+1)) != 1 {
			return at + 1
		}
	}
	return i
}

func topLevelDomain(host string) string {
	host, _, _ = strings.Cut(strings.ToLower(host), "/")
	return host[strings.LastIndexByte(host, '.')+1:]
}

// urls finds addresses of the web: "https://example.com/x", "example.com", "www dot example dot com
// slash help".
func urls(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		raw := t.at(i).raw
		if m := hostForm().FindStringSubmatch(raw); urlForm().MatchString(raw) || m != nil &&
			oneOf(topLevelDomain(raw), tops) && !abbreviated(raw) && topLevelDomain(raw) != "at" {
			list = append(list, candidate{kind: "URL", from: i, to: i + 1, weight: formed, value: plainURL(raw)})
		} else if c, ok := readSpokenURL(t, i); ok {
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

// readSpokenURL is the address whose last word before the first "dot" is at i.
func readSpokenURL(t *text, i int) (candidate, bool) {
	if !oneOf(t.low(i+1), "dot") || oneOf(t.low(i), "dot the a an") || oneOf(t.low(i-1), "dot") || t.at(i).after != 0 {
		return candidate{}, false
	}
	from := i
	for oneOf(t.low(from-1), "dash hyphen") && from > 1 {
		from -= 2
	}
	to, ok := readHost(t, from)
	if t.low(i) == "www" || t.low(i) == "w" && t.low(i-1) == "w" {
		to, ok = readHost(t, i+2)
		if t.low(i) == "w" {
			from = max(0, i-2)
		}
	}
	if !ok {
		return candidate{}, false
	}
	from = schemeStart(t, from)
	to = pathEnd(t, to)
	value := plainURL(joinSpelled(t, from, to, ""))
	return candidate{kind: "URL", from: from, to: to, weight: formed, value: value}, true
}

// schemeStart is where "https colon slash slash" before i begins; else i.
func schemeStart(t *text, i int) int {
	if i >= 4 && t.low(i-1) == "slash" && t.low(i-2) == "slash" && t.low(i-3) == "colon" &&
		oneOf(t.low(i-4), "http https") {
		return i - 4
	}
	if i >= 3 && t.low(i-1) == "slash" && t.low(i-2) == "slash" && oneOf(t.low(i-3), "http https") {
		return i - 3
	}
	return i
}

// pathEnd returns the end of a path such as "slash help" at i, after a host. A path has at most
// four parts.
func pathEnd(t *text, i int) int {
	for n := 0; n < 4 && oneOf(t.low(i), "slash forward") && i+1 < len(t.tokens) && t.at(i-1).after == 0; n++ {
		if t.low(i) == "forward" {
			if t.low(i+1) != "slash" || i+2 >= len(t.tokens) {
				return i
			}
			i++
		}
		i += 2
		for oneOf(t.low(i), "dash hyphen underscore") && i+1 < len(t.tokens) {
			i += 2
		}
	}
	return i
}

const suffixes = "pdf doc docx xls xlsx csv txt ppt pptx jpg jpeg png gif zip mp3 mp4 wav html json xml exe md tar " +
	"gz log py"

var fileForm = lazily(`^[\p{L}\d_.()/\\-]{1,200}\.([a-zA-Z\d]{2,5})$`)

// filenames finds "report.pdf" and "report underscore final dot pdf".
func filenames(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if m := fileForm().FindStringSubmatch(t.at(i).raw); m != nil && oneOf(strings.ToLower(m[1]), suffixes) {
			list = append(list, candidate{kind: "FILENAME", from: i, to: i + 1, weight: formed,
				value: strings.ToLower(t.at(i).raw)})
		}
		if t.low(i) != "dot" || i == 0 || !oneOf(t.low(i+1), suffixes) || t.at(i-1).after != 0 {
			continue
		}
		from := i - 1
		for n := 0; n < 6 && from > 1 && oneOf(t.low(from-1), "underscore dash hyphen dot"); n++ {
			from -= 2
		}
		list = append(list, candidate{kind: "FILENAME", from: from, to: i + 2, weight: formed,
			value: joinSpelled(t, from, i+2, "")})
	}
	return list
}

// ipAddresses finds IP addresses: written ones, and "ten dot zero dot zero dot one".
func ipAddresses(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		raw := strings.Trim(t.at(i).raw, "[]")
		if strings.Count(raw, ".") == 3 || strings.Count(raw, ":") > 1 {
			bare, _, _ := strings.Cut(raw, "/")
			if a, err := netip.ParseAddr(bare); err == nil {
				list = append(list, candidate{kind: "IP_ADDRESS", from: i, to: i + 1, weight: checked,
					value: a.String()})
				continue
			}
		}
		if c, ok := readSpokenIP(t, i); ok {
			list = append(list, c)
		}
	}
	return list
}

// readSpokenIP reads four numbers below 256 with "dot" or "point" between.
func readSpokenIP(t *text, i int) (candidate, bool) {
	if oneOf(t.low(i-1), "dot point") || isDigit(t, i-1) {
		return candidate{}, false
	}
	parts := make([]string, 0, 4)
	at := i
	for {
		digits, end := readOctet(t, at)
		if digits == "" {
			return candidate{}, false
		}
		if parts = append(parts, digits); len(parts) == 4 {
			return candidate{kind: "IP_ADDRESS", from: i, to: end, weight: checked, value: strings.Join(parts,
				".")}, true
		}
		if !oneOf(t.low(end), "dot point") {
			return candidate{}, false
		}
		at = end + 1
	}
}

// readOctet reads "one ninety two", "one hundred and ninety two", "one nine two": 0 to 255 in
// digits, else nothing.
func readOctet(t *text, i int) (string, int) {
	if a, end, ok := readGroup(t, i); ok && a.whole >= 100 && a.within(0, 255) {
		return a.String(), end
	}
	digits, end := "", i
	for len(digits) < 3 {
		p, ok := readPiece(t, end)
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

// signWords are how other languages than English name the signs of addresses: lists of words, with
// "_" for a space, each with the sign's English name.
var signWords = map[string]string{
	"de": "punkt:dot ät:at klammeraffe:at affenschwanz:at bindestrich:dash minus:dash unterstrich:underscore",
	"fr": "point:dot arobase:at arrobase:at arobas:at tiret_bas:underscore souligné:underscore tiret:dash",
	"es": "punto:dot arroba:at guion_bajo:underscore guión_bajo:underscore subrayado:underscore guion:dash guión:dash",
	"it": "punto:dot chiocciola:at chiocciolina:at trattino_basso:underscore sottolineato:underscore trattino:dash",
	"nl": "punt:dot apenstaartje:at apestaart:at liggend_streepje:underscore laag_streepje:underscore streepje:dash",
	"pt": "ponto:dot arroba:at traço_inferior:underscore sublinhado:underscore hífen:dash traço:dash",
	"ca": "punt:dot arrova:at guió_baix:underscore guió:dash",
	"pl": "kropka:dot małpa:at podkreślenie:underscore podkreślnik:underscore myślnik:dash",
	"cs": "tečka:dot zavináč:at podtržítko:underscore pomlčka:dash",
	"sk": "bodka:dot zavináč:at podčiarkovník:underscore pomlčka:dash",
	"ru": "точка:dot собака:at собачка:at нижнее_подчёркивание:underscore подчёркивание:underscore дефис:dash",
	"uk": "крапка:dot равлик:at собачка:at підкреслення:underscore дефіс:dash",
	"sv": "punkt:dot snabel:at understreck:underscore bindestreck:dash",
	"da": "punktum:dot snabel:at underscore:underscore bindestreg:dash",
	"no": "punktum:dot krøllalfa:at understrek:underscore bindestrek:dash",
	"fi": "piste:dot ät:at miukumauku:at alaviiva:underscore viiva:dash",
	"hu": "pont:dot kukac:at alsóvonás:underscore kötőjel:dash",
	"ro": "punct:dot arond:at liniuță_jos:underscore liniuță:dash",
}

// hostEnds are ends of internet names that no language of signWords has as a word, hostEndsOf those
// that one has not.
const hostEnds = "net org info eu biz dev app"

var hostEndsOf = map[string]string{
	"de": "de com at ch", "fr": "fr com be ca", "es": "com mx", "it": "it com", "nl": "nl com be", "pt": "pt br",
	"ca": "cat com", "pl": "pl com", "cs": "cz com", "sk": "sk com", "ru": "ру рф ком", "uk": "юа укр ком",
	"sv": "se com", "da": "dk com", "no": "no com", "fi": "fi com", "hu": "hu com", "ro": "ro com",
}

// readSigns puts the signs of addresses that are said with the words of the text's language in the
// form that is read, their English names. The words mean something else in other sentences: they
// count only near an "at" or a "www", and dots between numbers and before what ends the name of a
// host or a file.
func (t *text) readSigns() {
	names := phrases(signWords[t.language])
	near := -hostLimit - 1 // the last anchor up to the token
	next := 0              // the first one from it on
	t.rebuild(func(i, limit int) (token, int) {
		for next = max(next, i); next < len(t.tokens) && !isAnchor(names, t.tokens[next].low); next++ {
		}
		if next == i {
			near = i
		}
		k, to := t.tokens[i], i+1
		if i-near > hostLimit && (next == len(t.tokens) || next-i > localLimit) && !t.isDot(i) {
			return k, to
		}
		if to < limit && k.after == 0 {
			if sign, ok := names[t.join(i, to+1)]; ok {
				k.low, k.last, k.after = sign, t.tokens[to].last, t.tokens[to].after
				return k, to + 1
			}
		}
		if sign, ok := names[k.low]; ok {
			k.low = sign
		}
		return k, to
	})
}

// isDot reports whether a word for a point at i is a sign by what is before and after it.
func (t *text) isDot(i int) bool {
	end := t.low(i + 1)
	return t.at(i).after == 0 && (isDigit(t, i-1) && isDigit(t, i+1) || oneOf(end, hostEnds) ||
		oneOf(end, hostEndsOf[t.language]) || oneOf(end, suffixes))
}

// isAnchor reports whether a word is a part of an address alone.
func isAnchor(names map[string]string, low string) bool {
	return names[low] == "at" || low == "at" || low == "www"
}
