package entities

import "strings"

// digitWords has, by language, the English words for a language's words of the digits from 0 to 9.
var digitWords = readDigitWords(map[string]string{
	"de": "null eins zwei drei vier fünf sechs sieben acht neun, 2 zwo",
	"es": "cero uno dos tres cuatro cinco seis siete ocho nueve",
	"fr": "zéro un deux trois quatre cinq six sept huit neuf",
	"it": "zero uno due tre quattro cinque sei sette otto nove",
	"nl": "nul een twee drie vier vijf zes zeven acht negen, 1 één",
	"pt": "zero um dois três quatro cinco seis sete oito nove, 6 meia",
})

// readDigitWords reads lists of the words of ten digits, and of further words after their digits.
func readDigitWords(lists map[string]string) map[string]map[string]string {
	names := []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}
	all := map[string]map[string]string{}
	for language, text := range lists {
		digits, more, _ := strings.Cut(text, ", ")
		all[language] = map[string]string{}
		for i, word := range strings.Fields(digits) {
			all[language][word] = names[i]
		}
		if digit, word, ok := strings.Cut(more, " "); ok {
			all[language][word] = names[digit[0]-'0']
		}
	}
	return all
}
