package spelling

import "strings"

// particles are, by language, the places at which a word may be divided into a particle before it,
// the word, and a particle after it: the bytes at which the word begins and ends.
var particles = map[string]func(word string) [][2]int{
	"fr": elided, "it": elided, "ca": elided, "oc": elided,
	"tr": suffixed, "az": suffixed,
	"ko": func(word string) [][2]int { return withSuffix(word, korean) },
	"he": func(word string) [][2]int { return withPrefix(word, hebrew) },
	"ar": func(word string) [][2]int { return withPrefix(word, arabic) },
}

// The particles that are written together with a word, the longest first where one ends another.
var (
	korean = strings.Fields("에서는 에서도 에게서 이라고 이라는 으로는 이에요 예요 입니다 에서 에게 께서 한테 으로 부터 까지 " +
		"처럼 보다 라고 라는 이나 하고 이랑 랑 님 씨 은 는 이 가 을 를 의 에 와 과 도 로 만 아 야")
	hebrew = strings.Fields("וה שה של ו ה ב ל מ ש כ")
	arabic = strings.Fields("وال بال فال كال لل ال و ف ب ل ك")
)

// elided divides "l'iphone" after its apostrophe.
func elided(word string) [][2]int {
	for _, apostrophe := range []string{"'", "’"} {
		if prefix, _, ok := strings.Cut(word, apostrophe); ok {
			return [][2]int{{len(prefix + apostrophe), len(word)}}
		}
	}
	return nil
}

// suffixed divides "istanbul'da" before its apostrophe.
func suffixed(word string) [][2]int {
	if i := strings.LastIndexAny(word, "'’"); i > 0 {
		return [][2]int{{0, i}}
	}
	return nil
}

func withSuffix(word string, list []string) (cuts [][2]int) {
	for _, p := range list {
		if stem, ok := strings.CutSuffix(word, p); ok && stem != "" {
			cuts = append(cuts, [2]int{0, len(stem)})
		}
	}
	return cuts
}

func withPrefix(word string, list []string) (cuts [][2]int) {
	for _, p := range list {
		if stem, ok := strings.CutPrefix(word, p); ok && stem != "" {
			cuts = append(cuts, [2]int{len(p), len(word)})
		}
	}
	return cuts
}
