package messages

import (
	"cmp"
	"strings"
)

// DeprecatedFields are the deprecated names of what language_config holds. Clients still send them.
type DeprecatedFields struct {
	Language               string         `json:"language" code:"true" alias:"=" enum:"af,am,ar,as,az,ba,be,bg,bn,bo,br,bs,ca,cs,cy,da,de,el,en,es,et,eu,fa,fi,fo,fr,gl,gu,ha,haw,he,hi,hr,ht,hu,hy,id,is,it,ja,jw,ka,kk,km,kn,ko,la,lb,ln,lo,lt,lv,mg,mi,mk,ml,mn,mr,ms,mt,my,ne,nl,nn,no,oc,pa,pl,ps,pt,ro,ru,sa,sd,si,sk,sl,sn,so,sq,sr,su,sv,sw,ta,te,tg,th,tk,tl,tr,tt,uk,ur,uz,vi,yi,yo,zh" deprecated:"true" doc:"Use language_config.languages, which counts where it is not empty"`
	DetectLanguage         bool           `json:"detect_language" deprecated:"true" doc:"Leave language_config.languages empty"`
	EnableCodeSwitching    bool           `json:"enable_code_switching" deprecated:"true" doc:"Use language_config.code_switching"`
	CodeSwitchingLanguages List[string]   `json:"code_switching_languages" maxItems:"200" unique:"true" code:"true" enum:"af,am,ar,as,az,ba,be,bg,bn,bo,br,bs,ca,cs,cy,da,de,el,en,es,et,eu,fa,fi,fo,fr,gl,gu,ha,haw,he,hi,hr,ht,hu,hy,id,is,it,ja,jw,ka,kk,km,kn,ko,la,lb,ln,lo,lt,lv,mg,mi,mk,ml,mn,mr,ms,mt,my,ne,nl,nn,no,oc,pa,pl,ps,pt,ro,ru,sa,sd,si,sk,sl,sn,so,sq,sr,su,sv,sw,ta,te,tg,th,tk,tl,tr,tt,uk,ur,uz,vi,yi,yo,zh" deprecated:"true" doc:"Use language_config.languages"`
	CodeSwitchingConfig    LanguageConfig `json:"code_switching_config" deprecated:"true" doc:"Use language_config"`
	// TranscriptionSettings are a meeting bot's, by provider.
	TranscriptionSettings map[string]ProviderSettings `json:"transcription_settings" maxProperties:"20" doc:"As meeting bots have them, by the name of their provider: what language_config does not say"`
}

// ProviderSettings are a meeting bot's options for one transcription provider.
type ProviderSettings struct {
	EnableCodeSwitching    bool         `json:"enable_code_switching" doc:"Detect the language of each utterance"`
	CodeSwitchingLanguages List[string] `json:"code_switching_languages" maxItems:"200" unique:"true" code:"true" enum:"af,am,ar,as,az,ba,be,bg,bn,bo,br,bs,ca,cs,cy,da,de,el,en,es,et,eu,fa,fi,fo,fr,gl,gu,ha,haw,he,hi,hr,ht,hu,hy,id,is,it,ja,jw,ka,kk,km,kn,ko,la,lb,ln,lo,lt,lv,mg,mi,mk,ml,mn,mr,ms,mt,my,ne,nl,nn,no,oc,pa,pl,ps,pt,ro,ru,sa,sd,si,sk,sl,sn,so,sq,sr,su,sv,sw,ta,te,tg,th,tk,tl,tr,tt,uk,ur,uz,vi,yi,yo,zh" doc:"Codes of the languages spoken"`
}

// deprecatedFields reads the deprecated fields of a body and warns of each.
type deprecatedFields struct{ *bodyDecoder }

// language reads the deprecated names of the fields of language_config. They count where
// language_config has no other value.
func (d deprecatedFields) language(tree map[string]any, into *LanguageConfig) {
	if tree["language"] == "" { // as good as missing
		delete(tree, "language")
	}
	var old DeprecatedFields
	d.object("", tree, &old)
	provider := d.provider(old.TranscriptionSettings)
	d.codeSwitching(&old, provider, into)
	d.languages(&old, provider, into)
	switch one := len(into.Languages) == 1; {
	case !d.given["detect_language"]:
	case old.DetectLanguage:
		d.warn("detect_language", !one, "leave language_config.languages empty")
	case one:
		d.warn("detect_language", true, "name the language in language_config.languages")
	default:
		d.warnings.Warn("detect_language",
			"is deprecated, and false without one language named: use language_config.languages")
	}
}

// warn warns of a deprecated field, which is either heeded or contradicted by another field.
func (d deprecatedFields) warn(field string, heeded bool, instead string) {
	if heeded {
		d.warnings.Deprecate(field, "is deprecated: "+instead)
		return
	}
	d.warnings.Warn(field, "is deprecated, and another field says otherwise: "+instead)
}

// provider is the name of the bot's provider whose options count: gladia or the first that has any.
func (d deprecatedFields) provider(settings map[string]ProviderSettings) string {
	chosen := ""
	for _, name := range append([]string{"gladia"}, sortedKeys(settings)...) {
		path := join("transcription_settings", Excerpt(name))
		has := d.given[join(path, "enable_code_switching")] || d.given[join(path, "code_switching_languages")]
		if _, ok := settings[name]; !ok || !has || name == chosen {
			continue
		}
		if chosen == "" {
			chosen = name
			continue
		}
		d.warnings.Warn(path, "is not done: transcription_settings."+Excerpt(chosen)+" counts")
	}
	return chosen
}

// codeSwitching reads the deprecated names of code_switching.
func (d deprecatedFields) codeSwitching(old *DeprecatedFields, provider string, into *LanguageConfig) {
	const now = "language_config.code_switching"
	said := d.given[now]
	say := func(field string, on bool) bool {
		if !d.given[field] {
			return false
		}
		if !said {
			into.CodeSwitching, said = on, true
		}
		return true
	}
	if say("enable_code_switching", old.EnableCodeSwitching) {
		d.warn("enable_code_switching", into.CodeSwitching == old.EnableCodeSwitching, "use "+now)
	}
	say("code_switching_config.code_switching", old.CodeSwitchingConfig.CodeSwitching)
	field := providerField(provider, "enable_code_switching")
	if on := old.TranscriptionSettings[provider].EnableCodeSwitching; say(field, on) && on != into.CodeSwitching {
		d.warnings.Warn(field, "is not done: another field says otherwise")
	}
}

// languages reads the deprecated names of languages. Those to switch between count with code
// switching only.
func (d deprecatedFields) languages(old *DeprecatedFields, provider string, into *LanguageConfig) {
	type source struct {
		field, shown string
		codes        List[string]
	}
	one := source{"language", "language", List[string]{old.Language}}
	sources := []source{
		{"code_switching_config.languages", "code_switching_config", old.CodeSwitchingConfig.Languages},
		{"code_switching_languages", "code_switching_languages", old.CodeSwitchingLanguages},
		{field: providerField(provider, "code_switching_languages"),
			codes: old.TranscriptionSettings[provider].CodeSwitchingLanguages},
	}
	for _, s := range append(sources, one) {
		if !d.given[s.field] || len(s.codes) == 0 {
			continue
		}
		if !into.CodeSwitching && s.field != one.field {
			d.warnings.Warn(cmp.Or(s.shown, s.field),
				"is not done: it counts with enable_code_switching, or language_config.code_switching")
			continue
		}
		if len(into.Languages) == 0 {
			into.Languages = s.codes
		}
		heeded := sameCodes(into.Languages, s.codes)
		switch {
		case s.shown != "":
			d.warn(s.shown, heeded, "use language_config.languages")
		case !heeded:
			d.warnings.Warn(s.field, "is not done: another field names other languages")
		}
	}
}

func providerField(provider, option string) string {
	return strings.Join([]string{"transcription_settings", Excerpt(provider), option}, ".")
}

// sameCodes reports whether two lists are equal.
func sameCodes(a, b List[string]) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// vocabulary accepts an array of words in place of the switch custom_vocabulary.
func (d deprecatedFields) vocabulary(tree map[string]any) {
	words, ok := tree["custom_vocabulary"].([]any)
	if !ok {
		return
	}
	config, isObject := tree["custom_vocabulary_config"].(map[string]any)
	if config == nil {
		config = map[string]any{}
	}
	heeded := config["vocabulary"] == nil
	if heeded {
		config["vocabulary"] = words
	}
	if isObject || tree["custom_vocabulary_config"] == nil { // else it is faulty, and stays so
		tree["custom_vocabulary_config"] = config
	}
	tree["custom_vocabulary"] = len(words) > 0
	d.warn("custom_vocabulary", heeded, "the words belong to custom_vocabulary_config.vocabulary")
}

// callback warns of callback_url.
func (d deprecatedFields) callback(r *PreRecordedRequest) {
	if url, _, ok := r.Callbacks(); ok && d.given["callback_url"] {
		d.warn("callback_url", url == r.CallbackURL, "use callback and callback_config.url")
	}
}
