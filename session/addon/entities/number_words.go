package entities

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// numberWords are the words of a language for numbers below a million.
type numberWords struct {
	values map[string]int // below a thousand, and up to 1999 in hundreds; words with a space between
	first  map[string]bool
	// thousand are the words for it, alone or within others.
	thousand []string
}

// longestNumber is how many words a number has at most.
const longestNumber = 8

// wordsOfLanguages returns the number words of each language but English, made when they are first
// asked for: some thousand phrases of each.
var wordsOfLanguages = func() map[string]func() *numberWords {
	builders := map[string]func(*numberWords){"de": german, "es": spanish, "fr": french, "it": italian, "nl": dutch,
		"pt": portuguese, "da": danish}
	for language, words := range regular {
		builders[language] = func(w *numberWords) { w.read(words.low, words.tens, words.joints, words.hundreds) }
	}
	all := map[string]func() *numberWords{}
	for language, build := range builders {
		all[language] = sync.OnceValue(func() *numberWords {
			w := &numberWords{values: map[string]int{}, first: map[string]bool{}}
			build(w)
			return w
		})
	}
	return all
}()

// numbersOf returns the number words of a language; nil: none are known.
func numbersOf(language string) *numberWords {
	if words := wordsOfLanguages[language]; words != nil {
		return words()
	}
	return nil
}

// regular are the number words of languages with tens before units: those from zero to
// nineteen, the tens, what may stand between tens and units, separated by bars, and the hundreds,
// with "_" for a space within a word and "/" between forms.
var regular = map[string]struct{ low, tens, joints, hundreds string }{
	"pl": {"zero jeden/jedna dwa/dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście " +
		"trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście",
		"dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt " +
			"dziewięćdziesiąt", " ",
		"sto dwieście trzysta czterysta pięćset sześćset siedemset osiemset dziewięćset"},
	"ru": {"ноль/нуль один/одна два/две три четыре пять шесть семь восемь девять десять одиннадцать двенадцать " +
		"тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать",
		"двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто", " ",
		"сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот"},
	"uk": {"нуль один/одна два/дві три чотири п'ять шість сім вісім дев'ять десять одинадцять дванадцять тринадцять " +
		"чотирнадцять п'ятнадцять шістнадцять сімнадцять вісімнадцять дев'ятнадцять",
		"двадцять тридцять сорок п'ятдесят шістдесят сімдесят вісімдесят дев'яносто", " ",
		"сто двісті триста чотириста п'ятсот шістсот сімсот вісімсот дев'ятсот"},
	"cs": {"nula jedna/jeden/jedno dva/dvě tři čtyři pět šest sedm osm devět deset jedenáct dvanáct třináct čtrnáct " +
		"patnáct šestnáct sedmnáct osmnáct devatenáct",
		"dvacet třicet čtyřicet padesát šedesát sedmdesát osmdesát devadesát", " ",
		"sto dvě_stě tři_sta čtyři_sta pět_set šest_set sedm_set osm_set devět_set"},
	"sk": {"nula jeden/jedna/jedno dva/dve tri štyri päť šesť sedem osem deväť desať jedenásť dvanásť trinásť " +
		"štrnásť pätnásť šestnásť sedemnásť osemnásť devätnásť",
		"dvadsať tridsať štyridsať päťdesiat šesťdesiat sedemdesiat osemdesiat deväťdesiat", " |",
		"sto dvesto/dve_sto tristo/tri_sto štyristo päťsto šesťsto sedemsto osemsto deväťsto"},
	"sv": {"noll ett/en två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton " +
		"nitton", "tjugo trettio fyrtio femtio sextio sjuttio åttio nittio", "| ",
		"hundra/etthundra tvåhundra trehundra fyrahundra femhundra sexhundra sjuhundra åttahundra niohundra"},
	"no": {"null en/ett to tre fire fem seks sju/syv åtte ni ti elleve tolv tretten fjorten femten seksten sytten " +
		"atten nitten", "tjue tretti/tredve førti femti seksti sytti åtti nitti", "| | og ",
		"hundre/ett_hundre to_hundre tre_hundre fire_hundre fem_hundre seks_hundre sju_hundre åtte_hundre ni_hundre"},
	"fi": {"nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen yksitoista kaksitoista " +
		"kolmetoista neljätoista viisitoista kuusitoista seitsemäntoista kahdeksantoista yhdeksäntoista",
		"kaksikymmentä kolmekymmentä neljäkymmentä viisikymmentä kuusikymmentä seitsemänkymmentä " +
			"kahdeksankymmentä yhdeksänkymmentä", "| ",
		"sata kaksisataa kolmesataa neljäsataa viisisataa kuusisataa seitsemänsataa kahdeksansataa yhdeksänsataa"},
	"hu": {"nulla egy kettő/két három négy öt hat hét nyolc kilenc tíz tizenegy tizenkettő tizenhárom tizennégy " +
		"tizenöt tizenhat tizenhét tizennyolc tizenkilenc",
		"húsz/huszon harminc negyven ötven hatvan hetven nyolcvan kilencven", "| ",
		"száz/egyszáz kétszáz/kettőszáz háromszáz négyszáz ötszáz hatszáz hétszáz nyolcszáz kilencszáz"},
	"ro": {"zero unu/una doi/două trei patru cinci șase șapte opt nouă zece unsprezece doisprezece treisprezece " +
		"paisprezece cincisprezece șaisprezece șaptesprezece optsprezece nouăsprezece",
		"douăzeci treizeci patruzeci cincizeci șaizeci șaptezeci optzeci nouăzeci", " și | ",
		"o_sută două_sute trei_sute patru_sute cinci_sute șase_sute șapte_sute opt_sute nouă_sute"},
	"tr": {"sıfır bir iki üç dört beş altı yedi sekiz dokuz on on_bir on_iki on_üç on_dört on_beş on_altı on_yedi " +
		"on_sekiz on_dokuz", "yirmi otuz kırk elli altmış yetmiş seksen doksan", " |",
		"yüz iki_yüz üç_yüz dört_yüz beş_yüz altı_yüz yedi_yüz sekiz_yüz dokuz_yüz"},
	"ca": {"zero un/u/una dos/dues tres quatre cinc sis set vuit nou deu onze dotze tretze catorze quinze setze " +
		"disset divuit dinou", "vint trenta quaranta cinquanta seixanta setanta vuitanta noranta", " | i ",
		"cent dos_cents tres_cents quatre_cents cinc_cents sis_cents set_cents vuit_cents nou_cents"},
}

// read adds the words of a language of regular.
func (w *numberWords) read(low, tens, joints, hundreds string) {
	w.list(0, low)
	between := strings.Split(joints, "|")
	for _, joint := range between {
		w.romance(tens, joint)
	}
	w.hundreds(strings.Fields("- "+hundreds), between...)
}

// danish has units before tens, as German has.
func danish(w *numberWords) {
	w.list(0, "nul en/et to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten "+
		"atten nitten")
	w.germanic("en to tre fire fem seks syv otte ni", "tyve tredive fyrre halvtreds tres halvfjerds firs halvfems",
		"og")
	w.hundreds(strings.Fields("- hundrede/ethundrede tohundrede trehundrede firehundrede femhundrede sekshundrede "+
		"syvhundrede ottehundrede nihundrede"), " og ", " ")
}

// add adds a phrase for a number, with "_" for a space, and how it is written without accents. The
// first meaning of a phrase counts.
func (w *numberWords) add(value int, phrase string) {
	phrase = strings.ReplaceAll(phrase, "_", " ")
	for _, p := range []string{phrase, twoLetters.Replace(phrase), unaccented.Replace(phrase)} {
		if _, known := w.values[p]; !known {
			w.values[p] = value
			head, _, _ := strings.Cut(p, " ")
			w.first[head] = true
		}
	}
}

var (
	twoLetters = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss")
	unaccented = strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "ß", "ss", "á", "a", "à", "a", "ã", "a", "é", "e",
		"è", "e", "ê", "e", "ë", "e",
		"í", "i", "ó", "o", "ú", "u", "ù", "u")
)

// list adds words for consecutive numbers from one on; a word "a/b" has two forms.
func (w *numberWords) list(from int, words string) {
	for i, forms := range strings.Fields(words) {
		for form := range strings.SplitSeq(forms, "/") {
			w.add(from+i, form)
		}
	}
}

// hundreds adds numbers from 100 on: the names of the hundreds by their number, "-" where there is
// none, and what may stand between them and a number below.
func (w *numberWords) hundreds(names []string, joints ...string) {
	below := w.phrases(1, 99)
	for i, name := range names {
		if name == "-" {
			continue
		}
		for form := range strings.SplitSeq(name, "/") {
			w.add(100*i, form)
			for _, phrase := range below {
				for _, joint := range joints {
					w.add(100*i+w.values[phrase], form+joint+phrase)
				}
			}
		}
	}
}

// germanic adds the numbers between tens: the unit, a joint and the tens, in one word or apart.
func (w *numberWords) germanic(units, tens, joint string) {
	for t, ten := range strings.Fields(tens) {
		w.add(20+10*t, ten)
		for u, forms := range strings.Fields(units) {
			for unit := range strings.SplitSeq(forms, "/") {
				w.add(21+10*t+u, unit+joint+ten)
				w.add(21+10*t+u, unit+" "+joint+" "+ten)
			}
		}
	}
}

func german(w *numberWords) {
	w.list(0, "null eins zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "+
		"sechzehn siebzehn achtzehn neunzehn")
	w.germanic("ein zwei/zwo drei vier fünf sechs sieben acht neun",
		"zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig", "und")
	w.hundreds(strings.Fields("- hundert/einhundert zweihundert/zwohundert dreihundert vierhundert fünfhundert "+
		"sechshundert siebenhundert achthundert neunhundert "+
		"- elfhundert zwölfhundert dreizehnhundert vierzehnhundert fünfzehnhundert sechzehnhundert siebzehnhundert "+
		"achtzehnhundert neunzehnhundert"), "", "und")
	w.thousand = []string{"eintausend", "tausend"}
}

func dutch(w *numberWords) {
	w.list(0, "nul een/één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien "+
		"zestien zeventien achttien negentien")
	w.germanic("een", "twintig dertig veertig vijftig zestig zeventig tachtig negentig", "en")
	w.germanic("een twee drie vier vijf zes zeven acht negen",
		"twintig dertig veertig vijftig zestig zeventig tachtig negentig", "en")
	w.germanic("een twee drie", "twintig dertig veertig vijftig zestig zeventig tachtig negentig", "ën")
	w.hundreds(strings.Fields("- honderd/eenhonderd tweehonderd driehonderd vierhonderd vijfhonderd zeshonderd "+
		"zevenhonderd achthonderd negenhonderd - elfhonderd twaalfhonderd dertienhonderd veertienhonderd "+
		"vijftienhonderd zestienhonderd zeventienhonderd "+
		"achttienhonderd negentienhonderd"), "", "en")
	w.thousand = []string{"duizend"}
}

func italian(w *numberWords) {
	w.list(0, "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici "+
		"quindici sedici diciassette diciotto diciannove")
	for t, ten := range strings.Fields("venti trenta quaranta cinquanta sessanta settanta ottanta novanta") {
		w.add(20+10*t, ten)
		for u, unit := range strings.Fields("uno due tre quattro cinque sei sette otto nove") {
			stem := ten
			if unit[0] == 'u' || unit[0] == 'o' {
				stem = ten[:len(ten)-1]
			}
			w.add(21+10*t+u, stem+unit)
		}
		w.add(21+10*t, ten[:len(ten)-1]+"un")
		w.add(23+10*t, ten+"tré")
	}
	w.hundreds(strings.Fields("- cento duecento trecento quattrocento cinquecento seicento settecento ottocento "+
		"novecento"), "", " ")
	w.thousand = []string{"mila", "mille"}
}

// romance adds the numbers between tens in words of their own.
func (w *numberWords) romance(tens, joint string) {
	units := w.phrases(1, 9)
	for t, forms := range strings.Fields(tens) {
		for ten := range strings.SplitSeq(forms, "/") {
			w.add(20+10*t, ten)
			for _, unit := range units {
				w.add(20+10*t+w.values[unit], ten+joint+unit)
			}
		}
	}
}

// phrases are those for numbers from least to most, sorted.
func (w *numberWords) phrases(least, most int) []string {
	var list []string
	for phrase, v := range w.values {
		if least <= v && v <= most {
			list = append(list, phrase)
		}
	}
	slices.Sort(list)
	return list
}

func spanish(w *numberWords) {
	w.list(0, "cero uno dos tres cuatro cinco seis siete ocho nueve")
	w.romance("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa", " y ")
	w.list(10, "diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte "+
		"veintiuno/veintiún veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho "+
		"veintinueve")
	w.add(100, "cien")
	w.hundreds(strings.Fields("- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos "+
		"ochocientos novecientos"), " ")
	w.thousand = []string{"mil"}
}

func portuguese(w *numberWords) {
	w.list(0, "zero um dois/duas três quatro cinco seis/meia sete oito nove")
	w.romance("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa", " e ")
	w.list(10, "dez onze doze treze catorze/quatorze quinze dezesseis/dezasseis dezessete/dezassete dezoito "+
		"dezenove/dezanove")
	w.add(100, "cem")
	w.hundreds(strings.Fields("- cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos "+
		"novecentos"), " e ")
	w.thousand = []string{"mil"}
}

func french(w *numberWords) {
	const teens = "dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf"
	w.list(0, "zéro un deux trois quatre cinq six sept huit neuf")
	w.romance("vingt trente quarante cinquante soixante septante huitante nonante", " ")
	for t, ten := range strings.Fields("vingt trente quarante cinquante soixante septante huitante nonante") {
		w.add(20+10*t, ten)
		w.add(21+10*t, ten+" et un")
	}
	for i, teen := range strings.Fields(teens) {
		teen = strings.ReplaceAll(teen, "-", " ")
		w.add(10+i, teen)
		w.add(70+i, "soixante "+teen)
		w.add(90+i, "quatre vingt "+teen)
	}
	w.add(71, "soixante et onze")
	w.add(80, "quatre vingts")
	w.add(80, "quatre vingt")
	for u, unit := range strings.Fields("un deux trois quatre cinq six sept huit neuf") {
		w.add(81+u, "quatre vingt "+unit)
	}
	w.hundreds([]string{"-", "cent", "deux cent/deux cents", "trois cent/trois cents", "quatre cent/quatre cents",
		"cinq cent/cinq cents", "six cent/six cents",
		"sept cent/sept cents", "huit cent/huit cents", "neuf cent/neuf cents"}, " ")
	w.thousand = []string{"mille", "mil"}
}

// number returns the value of a phrase.
func (w *numberWords) number(phrase string) (value int, ok bool) {
	if v, ok := w.values[phrase]; ok {
		return v, true
	}
	for _, thousand := range w.thousand {
		left, right, found := strings.Cut(phrase, thousand)
		if !found {
			continue
		}
		many, isLeft := w.values[strings.TrimSpace(left)]
		rest, isRight := w.values[strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(right), "e "))]
		if left == "" {
			many, isLeft = 1, true
		}
		if right == "" {
			rest, isRight = 0, true
		}
		if isLeft && isRight && many > 0 && many < 1000 && rest < 1000 {
			return 1000*many + rest, true
		}
	}
	return 0, false
}

// begins reports whether a number may begin with a word.
func (w *numberWords) begins(word string) bool {
	if w.first[word] {
		return true
	}
	for _, thousand := range w.thousand {
		if strings.Contains(word, thousand) {
			return true
		}
	}
	return false
}

var digitNames = strings.Fields("zero one two three four five six seven eight nine")

// readNumbers puts numbers that are said with the words of a language in the form that is read:
// digits as their English words, others in digits. A number of several words becomes one token.
func (t *text) readNumbers(w *numberWords) {
	repeats := phrases(repetitions[t.language])
	t.rebuild(func(i, limit int) (token, int) {
		k := t.tokens[i]
		if name, to := t.repetitionAt(repeats, w, i, limit); to > i {
			k.low, k.last, k.after = name, t.tokens[to-1].last, t.tokens[to-1].after
			return k, to
		}
		return t.numberAt(w, i, limit)
	})
}

// repetitions are the words of languages that repeat the digit after them, "_" for a space, with
// their English names.
var repetitions = map[string]string{
	"de": "doppelt:double doppel:double zweimal:double zwei_mal:double dreimal:triple drei_mal:triple dreifach:triple",
	"fr": "deux_fois:double trois_fois:triple",
	"es": "doble:double dos_veces:double triple:triple tres_veces:triple",
	"it": "doppio:double doppia:double due_volte:double triplo:triple tripla:triple tre_volte:triple",
	"pt": "duplo:double dobro:double duas_vezes:double triplo:triple três_vezes:triple",
	"nl": "dubbel:double twee_keer:double tweemaal:double drie_keer:triple driemaal:triple",
	"ca": "doble:double triple:triple",
	"pl": "podwójne:double podwójna:double podwójny:double potrójne:triple potrójna:triple",
	"sv": "dubbel:double dubbla:double trippel:triple", "no": "dobbel:double trippel:triple",
	"da": "dobbelt:double tredobbelt:triple",
}

// articles may stand between such a word and the digit.
const articles = "die der das den le la les l'un el los il lo de het o a en et"

// phrases reads pairs "word:name", with "_" for a space within a word.
func phrases(pairs string) map[string]string {
	names := map[string]string{}
	for pair := range strings.FieldsSeq(pairs) {
		word, name, _ := strings.Cut(pair, ":")
		names[strings.ReplaceAll(word, "_", " ")] = name
	}
	return names
}

// repetitionAt returns the English name of the repetition at i before a digit, and where the digit
// begins; i where there is none.
func (t *text) repetitionAt(names map[string]string, w *numberWords, i, limit int) (string, int) {
	for to := i + 1; to <= i+2 && to < limit; to++ {
		name, ok := names[t.join(i, to)]
		if !ok {
			continue
		}
		if oneOf(t.low(to), articles) && to+1 < limit && w.isDigit(t.low(to+1)) {
			return name, to + 1
		}
		if w.isDigit(t.low(to)) {
			return name, to
		}
	}
	return "", i
}

func (w *numberWords) isDigit(low string) bool {
	v, ok := w.number(low)
	return ok && v < 10 || len(low) == 1 && digitsOnly(low)
}

// numberAt returns the token at i, or that of the longest number that begins there and ends before
// limit, and where it ends.
func (t *text) numberAt(w *numberWords, i, limit int) (token, int) {
	k := t.tokens[i]
	if !w.begins(k.low) {
		return k, i + 1
	}
	to := i + 1
	for to < min(limit, i+longestNumber) && t.tokens[to-1].after == 0 {
		to++
	}
	for ; to > i; to-- {
		v, ok := w.number(t.join(i, to))
		if !ok {
			continue
		}
		k.last, k.after = t.tokens[to-1].last, t.tokens[to-1].after
		if v < len(digitNames) {
			k.low = digitNames[v]
		} else {
			k.raw, k.low = strconv.Itoa(v), strconv.Itoa(v)
		}
		return k, to
	}
	return k, i + 1
}
