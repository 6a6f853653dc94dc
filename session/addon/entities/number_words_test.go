package entities

import (
	"strings"
	"testing"
)

// TestNumberWords reads numbers below a million as they are spoken in several languages.
func TestNumberWords(t *testing.T) {
	for _, c := range []struct {
		language, phrase string
		want             int
	}{
		{"de", "vierundzwanzig", 24}, {"de", "vier und zwanzig", 24}, {"de", "zwoundfünfzig", 52},
		{"de", "zweiunddreissig", 32}, {"de", "fuenfundfuenfzig", 55},
		{"de", "siebzehn", 17}, {"de", "hundert", 100}, {"de", "dreihundertvier", 304}, {"de", "neunhundertundelf",
			911}, {"de", "neunzehnhundertachtzig", 1980},
		{"de", "zweitausendvierundzwanzig", 2024}, {"de", "einundzwanzigtausend", 21000},
		{"de", "hundertzweitausenddreihundertsiebzehn", 102317},
		{"fr", "quatre vingt dix sept", 97}, {"fr", "soixante et onze", 71}, {"fr", "soixante douze", 72},
		{"fr", "vingt et un", 21}, {"fr", "quatre vingts", 80},
		{"fr", "septante trois", 73}, {"fr", "deux cent dix neuf", 219}, {"fr", "mille neuf cent quatre vingt quatre",
			1984}, {"fr", "douze mille", 12000},
		{"es", "veintidós", 22}, {"es", "veintidos", 22}, {"es", "noventa y siete", 97}, {"es", "quinientos cuatro",
			504}, {"es", "mil novecientos ochenta y uno", 1981},
		{"it", "novantasette", 97}, {"it", "ventuno", 21}, {"it", "ventotto", 28}, {"it", "quarantatré", 43},
		{"it", "duecentosei", 206},
		{"it", "millenovecentoottanta", 1980}, {"it", "ventunomila", 21000},
		{"nl", "zevenennegentig", 97}, {"nl", "tweeëntwintig", 22}, {"nl", "drieentachtig", 83},
		{"nl", "vier en dertig", 34}, {"nl", "achthonderdvijf", 805},
		{"nl", "tweeduizendvierentwintig", 2024},
		{"pl", "sześćset dwanaście", 612}, {"pl", "dwadzieścia trzy", 23}, {"ru", "сорок пять", 45},
		{"ru", "девятьсот девяносто девять", 999}, {"uk", "п'ятдесят шість", 56}, {"cs", "dvě stě třicet", 230},
		{"sk", "dvadsaťpäť", 25}, {"sv", "tvåhundratrettiofyra", 234}, {"no", "to hundre og femtifem", 255},
		{"da", "femoghalvtreds", 55}, {"da", "to og tyve", 22}, {"fi", "kaksisataakolmekymmentäviisi", 235},
		{"hu", "huszonöt", 25}, {"hu", "húsz", 20}, {"ro", "treizeci și patru", 34}, {"tr", "yüz yirmi üç", 123},
		{"tr", "on beş", 15}, {"ca", "vint i un", 21}, {"ca", "dos cents trenta", 230},
		{"pt", "noventa e sete", 97}, {"pt", "dezesseis", 16}, {"pt", "dezasseis", 16}, {"pt", "duzentos e quatro",
			204}, {"pt", "dois mil e vinte", 2020}, {"pt", "mil e cem", 1100},
	} {
		if got, ok := numbersOf(c.language).number(c.phrase); !ok || got != c.want {
			t.Errorf("%s, %q: %d, %v", c.language, c.phrase, got, ok)
		}
		if n := len(strings.Fields(c.phrase)); n > longestNumber {
			t.Errorf("%q has %d words", c.phrase, n)
		}
	}
	for language, words := range map[string]string{"de": "tausendschön hunderter einzel und eintausendeins-",
		"fr": "million cents et milles", "es": "milagro y cientos",
		"it": "milano seicentesco e", "nl": "duizendpoot en honderden", "pt": "milho e centena"} {
		for word := range strings.FieldsSeq(words) {
			if v, ok := numbersOf(language).number(word); ok {
				t.Errorf("%s: %q is %d", language, word, v)
			}
		}
	}
}

// TestAllNumberWords: all numbers below a thousand have a form in each language.
func TestAllNumberWords(t *testing.T) {
	for language, words := range wordsOfLanguages {
		said := map[int]bool{}
		for _, v := range words().values {
			said[v] = true
		}
		for v := range 1000 {
			if !said[v] {
				t.Errorf("%s has no word for %d", language, v)
			}
		}
	}
}
