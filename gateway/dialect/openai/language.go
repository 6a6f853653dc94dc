package openai

import (
	"fmt"
	"strings"

	"steno/gateway/dialect"
	"steno/gateway/web"
	"steno/messages"
)

// names are the languages by their codes as clients read them, the English names that Whisper uses,
// and codes the other way round.
var names, codes = languageNames()

func languageNames() (names, codes map[string]string) {
	names, codes = map[string]string{}, map[string]string{}
	for _, pair := range strings.Fields(table) {
		code, name, _ := strings.Cut(pair, "=")
		name = strings.ReplaceAll(name, "_", " ")
		names[code], codes[name] = name, code
	}
	return names, codes
}

const table = `af=afrikaans am=amharic ar=arabic as=assamese az=azerbaijani ba=bashkir be=belarusian bg=bulgarian
	bn=bengali bo=tibetan br=breton bs=bosnian ca=catalan cs=czech cy=welsh da=danish de=german el=greek en=english
	es=spanish et=estonian eu=basque fa=persian fi=finnish fo=faroese fr=french gl=galician gu=gujarati ha=hausa
	haw=hawaiian he=hebrew hi=hindi hr=croatian ht=haitian_creole hu=hungarian hy=armenian id=indonesian is=icelandic
	it=italian ja=japanese jw=javanese ka=georgian kk=kazakh km=khmer kn=kannada ko=korean la=latin lb=luxembourgish
	ln=lingala lo=lao lt=lithuanian lv=latvian mg=malagasy mi=maori mk=macedonian ml=malayalam mn=mongolian mr=marathi
	ms=malay mt=maltese my=myanmar ne=nepali nl=dutch nn=nynorsk no=norwegian oc=occitan pa=punjabi pl=polish ps=pashto
	pt=portuguese ro=romanian ru=russian sa=sanskrit sd=sindhi si=sinhala sk=slovak sl=slovenian sn=shona so=somali
	sq=albanian sr=serbian su=sundanese sv=swedish sw=swahili ta=tamil te=telugu tg=tajik th=thai tk=turkmen tl=tagalog
	tr=turkish tt=tatar uk=ukrainian ur=urdu uz=uzbek vi=vietnamese yi=yiddish yo=yoruba zh=chinese`

// LanguageName returns the English name of a language by its code, or the code where it has none.
func LanguageName(code string) string {
	if name, ok := names[code]; ok {
		return name
	}
	return code
}

// Languages returns the codes of languages that clients name by codes, tags or English names, each
// once. One that is not known is a problem of the parameter.
func Languages(param string, given ...string) (messages.List[string], error) {
	var list messages.List[string]
	for _, text := range given {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		name := text
		if code, ok := codes[strings.ToLower(text)]; ok {
			name = code
		}
		var known bool
		if list, known = dialect.AddLanguage(list, name); !known {
			return nil, Invalid(param, fmt.Sprintf("names the language %q, which is not known", web.Shorten(text)))
		}
	}
	return list, nil
}
