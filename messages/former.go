package messages

import "strings"

// FormerFields are former names of what language_config holds; clients still send them.
type FormerFields struct {
	Language               string         `json:"language" code:"true" alias:"=" enum:"af,am,ar,as,az,ba,be,bg,bn,bo,br,bs,ca,cs,cy,da,de,el,en,es,et,eu,fa,fi,fo,fr,gl,gu,ha,haw,he,hi,hr,ht,hu,hy,id,is,it,ja,jw,ka,kk,km,kn,ko,la,lb,ln,lo,lt,lv,mg,mi,mk,ml,mn,mr,ms,mt,my,ne,nl,nn,no,oc,pa,pl,ps,pt,ro,ru,sa,sd,si,sk,sl,sn,so,sq,sr,su,sv,sw,ta,te,tg,th,tk,tl,tr,tt,uk,ur,uz,vi,yi,yo,zh" deprecated:"true" doc:"Use language_config.languages, which counts where it is not empty"`
	DetectLanguage         bool           `json:"detect_language" deprecated:"true" doc:"Leave language_config.languages empty"`
	EnableCodeSwitching    bool           `json:"enable_code_switching" deprecated:"true" doc:"Use language_config.code_switching"`
	CodeSwitchingLanguages List[string]   `json:"code_switching_languages" maxItems:"200" unique:"true" code:"true" enum:"af,am,ar,as,az,ba,be,bg,bn,bo,br,bs,ca,cs,cy,da,de,el,en,es,et,eu,fa,fi,fo,fr,gl,gu,ha,haw,he,hi,hr,ht,hu,hy,id,is,it,ja,jw,ka,kk,km,kn,ko,la,lb,ln,lo,lt,lv,mg,mi,mk,ml,mn,mr,ms,mt,my,ne,nl,nn,no,oc,pa,pl,ps,pt,ro,ru,sa,sd,si,sk,sl,sn,so,sq,sr,su,sv,sw,ta,te,tg,th,tk,tl,tr,tt,uk,ur,uz,vi,yi,yo,zh" deprecated:"true" doc:"Use language_config.languages"`
	CodeSwitchingConfig    LanguageConfig `json:"code_switching_config" deprecated:"true" doc:"Use language_config"`
	// TranscriptionSettings are a meeting bot's, by provider.
	TranscriptionSettings map[string]ProviderSettings `json:"transcription_settings" maxProperties:"20" doc:"As meeting bots have them, by the name of their provider: what language_config does not say"`
}

// ProviderSettings are a meeting bot's options for whoever transcribes.
type ProviderSettings struct {
	EnableCodeSwitching    bool         `json:"enable_code_switching" doc:"Detect the language of each utterance"`
	CodeSwitchingLanguages List[string] `json:"code_switching_languages" maxItems:"200" unique:"true" code:"true" enum:"af,am,ar,as,az,ba,be,bg,bn,bo,br,bs,ca,cs,cy,da,de,el,en,es,et,eu,fa,fi,fo,fr,gl,gu,ha,haw,he,hi,hr,ht,hu,hy,id,is,it,ja,jw,ka,kk,km,kn,ko,la,lb,ln,lo,lt,lv,mg,mi,mk,ml,mn,mr,ms,mt,my,ne,nl,nn,no,oc,pa,pl,ps,pt,ro,ru,sa,sd,si,sk,sl,sn,so,sq,sr,su,sv,sw,ta,te,tg,th,tk,tl,tr,tt,uk,ur,uz,vi,yi,yo,zh" doc:"Codes of the languages spoken"`
}

// former honours former names, where language_config does not say otherwise, and warns of each.
func (c *checker) former(tree map[string]any, into *LanguageConfig) {
	if tree["language"] == "" { // as good as missing
		delete(tree, "language")
	}
	var old FormerFields
	c.object("", tree, &old)
	provider := c.provider(old.TranscriptionSettings)
	c.formerSwitching(&old, provider, into)
	c.formerLanguages(&old, provider, into)
	switch one := len(into.Languages) == 1; {
	case !c.given["detect_language"]:
	case old.DetectLanguage:
		c.told("detect_language", !one, "leave language_config.languages empty")
	case one:
		c.told("detect_language", true, "name the language in language_config.languages")
	default:
		c.warnings.Warn("detect_language", "is deprecated, and false without one language named: use language_config.languages")
	}
}

// told warns of a former field that says what is done, or says otherwise and is not heeded.
func (c *checker) told(field string, heeded bool, instead string) {
	if heeded {
		c.warnings.Deprecate(field, "is deprecated: "+instead)
		return
	}
	c.warnings.Warn(field, "is deprecated, and another field says otherwise: "+instead)
}

// provider is the name of the bot's provider whose options count: gladia or the first that has any.
func (c *checker) provider(settings map[string]ProviderSettings) string {
	chosen := ""
	for _, name := range append([]string{"gladia"}, sortedKeys(settings)...) {
		path := join("transcription_settings", echo(name))
		has := c.given[join(path, "enable_code_switching")] || c.given[join(path, "code_switching_languages")]
		if _, ok := settings[name]; !ok || !has || name == chosen {
			continue
		}
		if chosen == "" {
			chosen = name
			continue
		}
		c.warnings.Warn(path, "is not done: transcription_settings."+echo(chosen)+" counts")
	}
	return chosen
}

// formerSwitching finds code_switching among the former names.
func (c *checker) formerSwitching(old *FormerFields, provider string, into *LanguageConfig) {
	const now = "language_config.code_switching"
	said := c.given[now]
	say := func(field string, on bool) bool {
		if !c.given[field] {
			return false
		}
		if !said {
			into.CodeSwitching, said = on, true
		}
		return true
	}
	if say("enable_code_switching", old.EnableCodeSwitching) {
		c.told("enable_code_switching", into.CodeSwitching == old.EnableCodeSwitching, "use "+now)
	}
	field := providerField(provider, "enable_code_switching")
	if on := old.TranscriptionSettings[provider].EnableCodeSwitching; say(field, on) && on != into.CodeSwitching {
		c.warnings.Warn(field, "is not done: another field says otherwise")
	}
}

// formerLanguages finds the languages among the former names. A single one was said where languages were not switched.
func (c *checker) formerLanguages(old *FormerFields, provider string, into *LanguageConfig) {
	type source struct {
		field, shown string
		codes        List[string]
	}
	one := source{"language", "language", List[string]{old.Language}}
	sources := []source{
		{"code_switching_config.languages", "code_switching_config", old.CodeSwitchingConfig.Languages},
		{"code_switching_languages", "code_switching_languages", old.CodeSwitchingLanguages},
		{field: providerField(provider, "code_switching_languages"), codes: old.TranscriptionSettings[provider].CodeSwitchingLanguages},
	}
	if into.CodeSwitching {
		sources = append(sources, one)
	} else {
		sources = append([]source{one}, sources...)
	}
	for _, s := range sources {
		if !c.given[s.field] || len(s.codes) == 0 {
			continue
		}
		if len(into.Languages) == 0 {
			into.Languages = s.codes
		}
		heeded := sameCodes(into.Languages, s.codes)
		switch {
		case s.shown != "":
			c.told(s.shown, heeded, "use language_config.languages")
		case !heeded:
			c.warnings.Warn(s.field, "is not done: another field names other languages")
		}
	}
}

func providerField(provider, option string) string {
	return strings.Join([]string{"transcription_settings", echo(provider), option}, ".")
}

// sameCodes tells whether two lists are equal.
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

// formerVocabulary turns an array of words for a switch into what it stands for.
func (c *checker) formerVocabulary(tree map[string]any) {
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
	c.told("custom_vocabulary", heeded, "the words belong to custom_vocabulary_config.vocabulary")
}

// formerCallback warns of callback_url.
func (c *checker) formerCallback(r *PreRecordedRequest) {
	if url, _, ok := r.Callbacks(); ok && c.given["callback_url"] {
		c.told("callback_url", url == r.CallbackURL, "use callback and callback_config.url")
	}
}
