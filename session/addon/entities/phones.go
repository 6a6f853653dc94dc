package entities

import "strings"

// phones finds telephone numbers: ten digits by the rules of North America, international ones with
// a plus, ones of ten or eleven digits with a leading zero, seven to fifteen digits where the words
// before speak of a telephone or of somebody's number, and, to be hidden, ten digits in groups of
// three, three and four, in other languages than English nine to fifteen that are no amount.
func phones(t *text) []candidate {
	var list []candidate
	for _, r := range t.runs {
		called := isCalled(t, r) || isPartOfCalled(t, r)
		if !called && !isPhone(t, r) {
			continue
		}
		c := r.as("PHONE_NUMBER", formed)
		if called || r.plus {
			c.weight = cued
		}
		if !called && !american(r.digits) {
			c.doubt = r.doubt(t)
		}
		c.to, c.value = readExtension(t, r.to, r.digits)
		list = append(list, c)
	}
	return list
}

// isCalled reports whether the words around a run speak of a telephone number, and it has the
// length of one.
func isCalled(t *text, r run) bool {
	n := len(r.digits)
	if n < 7 || n > 15 || r.partial && n != 7 && n != 10 && n != 11 ||
		t.near(r.from, 3, "order account card case ticket") {
		return false
	}
	return t.near(r.from, 9, phoneWords) || t.near(r.from, 9, phoneWordsOf[t.language]) ||
		oneOf(t.low(r.to), "extension") ||
		t.near(r.to+6, 6, "cell mobile phone") && oneOf(t.low(r.to), "is") || isNumberOf(t, r.from)
}

// isPartOfCalled reports whether a run is what was asked for of a telephone number, "the last four
// digits of your phone number", where it is to be hidden.
func isPartOfCalled(t *text, r run) bool {
	n := len(r.digits)
	return t.hiding && (n == 3 || n == 4) && t.near(r.from, 12, "last final ending ends") &&
		t.near(r.from, 9, "phone telephone mobile cell")
}

// isNumberOf reports whether "my number is", of whomever, or "what's your number" announces what
// begins at i, and no other word names the number.
func isNumberOf(t *text, i int) bool {
	const numbers = "number nummer numéro número numero"
	for n := 0; n < 8 && (oneOf(t.low(i-1), fillers) || oneOf(t.low(i-1), fillersOf[t.language])) &&
		!oneOf(t.low(i-1), numbers); n++ {
		i--
	}
	return oneOf(t.low(i-1), numbers) && oneOf(t.low(i-2), "my his her our their your meine deine seine ihre unsere "+
		"mon votre ton son notre mi su tu nuestro mio suo tuo nostro mijn uw zijn haar ons meu seu teu nosso")
}

// isPhone reports whether a run looks like a telephone number even without a word that announces
// one.
func isPhone(t *text, r run) bool {
	d := r.digits
	switch {
	case r.plus && len(d) >= 8 && len(d) <= 15 || r.local():
		return true
	case d[0] == '0' && (len(d) == 10 || len(d) == 11 || !t.english && t.hiding && (len(d) == 9 || len(d) == 12)):
		return !r.counts()
	}
	foreign := !t.english && len(d) >= 9 && len(d) <= 15 && !isQuantity(t, r.to)
	return r.spelt() && !r.counts() && (american(d) || t.hiding && (foreign || len(d) == 10 && r.isGrouped(t, 3, 6)))
}

// doubt is 1 for a run that has the form of a number alone where only what is hidden is looked for,
// else 0.
func (r run) doubt(t *text) int {
	if t.hiding && r.isGrouped(t, 3, 6) {
		return 1
	}
	return 0
}

// isGrouped reports whether commas or the ends of written groups follow so many of the run's
// digits.
func (r run) isGrouped(t *text, ends ...int) bool {
	n, found := 0, 0
	for _, p := range r.pieces {
		n += len(p.digits)
		for _, end := range ends {
			if n == end && (t.at(p.to-1).after != 0 || len(p.digits) > 2) {
				found++
			}
		}
	}
	return found == len(ends)
}

const phoneWords = "call phone telephone cell mobile cellphone reach text fax dial contact tel ring callback " +
	"texting calling sms whatsapp landline"

// phoneWordsOf are those of other languages.
var phoneWordsOf = map[string]string{
	"de": "telefonnummer handynummer rufnummer mobilnummer festnetznummer telefon handy mobil festnetz erreichen " +
		"erreichbar anrufen rückruf zurückrufen durchwahl",
	"fr": "téléphone portable mobile tél fixe appeler appelez rappeler joindre joignable",
	"es": "teléfono móvil celular fijo llamar llámame llámeme contacto",
	"it": "telefono cellulare fisso chiamare chiamami chiamarmi recapito",
	"nl": "telefoonnummer mobielnummer telefoon mobiel mobiele gsm bellen bel bereiken bereikbaar",
	"pt": "telefone telemóvel celular fixo ligar ligue contacto contato",
	"pl": "telefon telefonu komórka komórki komórkowy zadzwoń zadzwonić",
	"ru": "телефон телефона мобильный позвоните звонить", "uk": "телефон телефону мобільний телефонуйте",
	"sv": "telefonnummer mobilnummer telefon mobil ring ringa nå", "da": "telefonnummer mobilnummer telefon mobil ring",
	"no": "telefonnummer mobilnummer telefon mobil ring", "fi": "puhelinnumero puhelinnumeroni puhelin soita",
	"cs": "telefon mobil telefonní zavolejte", "tr": "telefon telefonum cep numaram arayın",
}

// american reports whether digits are a number of the North American plan, with or without its
// leading one.
func american(d string) bool {
	if len(d) == 11 && d[0] == '1' {
		d = d[1:]
	}
	return len(d) == 10 && d[0] > '1' && d[3] > '1' && d[1:3] != "11"
}

// local reports whether a run is written as "555-0199".
func (r run) local() bool {
	return len(r.digits) == 7 && len(r.pieces) == 1 && r.digits[0] > '1'
}

// readExtension reads "extension one two", "ext 12" or "x12" at i, after the number digits. It
// returns its end, and the digits with the extension.
func readExtension(t *text, i int, digits string) (int, string) {
	if x, ok := strings.CutPrefix(t.low(i), "x"); ok && digitsOnly(x) && len(x) < 7 {
		return i + 1, digits + "x" + x
	}
	if !oneOf(t.low(i), "extension ext x") {
		return i, digits
	}
	if r, ok := readRun(t, i+1); ok && len(r.digits) < 7 {
		return r.to, digits + "x" + r.digits
	}
	return i, digits
}
