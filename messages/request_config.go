package messages

import (
	"encoding/json"
)

// LanguageConfig is which languages are spoken. With exactly one that one is used; otherwise it is
// detected, on the first utterance or, with code switching, on each.
type LanguageConfig struct {
	Languages     List[string] `json:"languages" default:"[]" maxItems:"200" unique:"true" code:"true" enum:"af,am,ar,as,az,ba,be,bg,bn,bo,br,bs,ca,cs,cy,da,de,el,en,es,et,eu,fa,fi,fo,fr,gl,gu,ha,haw,he,hi,hr,ht,hu,hy,id,is,it,ja,jw,ka,kk,km,kn,ko,la,lb,ln,lo,lt,lv,mg,mi,mk,ml,mn,mr,ms,mt,my,ne,nl,nn,no,oc,pa,pl,ps,pt,ro,ru,sa,sd,si,sk,sl,sn,so,sq,sr,su,sv,sw,ta,te,tg,th,tk,tl,tr,tt,uk,ur,uz,vi,yi,yo,zh" doc:"Codes of the languages spoken"`
	CodeSwitching bool         `json:"code_switching" default:"false" doc:"Detect the language of each utterance"`
}

// CustomVocabularyConfig lists words to be preferred.
type CustomVocabularyConfig struct {
	Vocabulary       List[VocabularyEntry] `json:"vocabulary,omitzero" maxItems:"1000"`
	DefaultIntensity *float64              `json:"default_intensity,omitempty" minimum:"0" maximum:"1" doc:"How strongly, where an entry does not say; without it 0.5"`
}

// VocabularyEntry is one word or phrase; in JSON a string, or an object with more fields.
type VocabularyEntry struct {
	Value          string   `json:"value" required:"true" short:"true" minLength:"1" maxLength:"500"`
	Intensity      *float64 `json:"intensity,omitempty" minimum:"0" maximum:"1"`
	Pronunciations []string `json:"pronunciations,omitempty" maxItems:"100" maxLength:"500" doc:"How it may sound, in ordinary spelling"`
	Language       string   `json:"language,omitempty" code:"true" enum:"af,am,ar,as,az,ba,be,bg,bn,bo,br,bs,ca,cs,cy,da,de,el,en,es,et,eu,fa,fi,fo,fr,gl,gu,ha,haw,he,hi,hr,ht,hu,hy,id,is,it,ja,jw,ka,kk,km,kn,ko,la,lb,ln,lo,lt,lv,mg,mi,mk,ml,mn,mr,ms,mt,my,ne,nl,nn,no,oc,pa,pl,ps,pt,ro,ru,sa,sd,si,sk,sl,sn,so,sq,sr,su,sv,sw,ta,te,tg,th,tk,tl,tr,tt,uk,ur,uz,vi,yi,yo,zh" doc:"Code of the language it is said in; without it the one transcribed"`
}

// MarshalJSON writes the shorter of the two forms.
func (e VocabularyEntry) MarshalJSON() ([]byte, error) {
	if e.Intensity == nil && len(e.Pronunciations) == 0 && e.Language == "" {
		return marshal(e.Value)
	}
	type object VocabularyEntry
	return marshal(object(e))
}

// UnmarshalJSON reads both forms.
func (e *VocabularyEntry) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*e = VocabularyEntry{}
		return json.Unmarshal(b, &e.Value)
	}
	type object VocabularyEntry
	return json.Unmarshal(b, (*object)(e))
}

// CustomSpellingConfig maps the spelling wanted to those that it replaces.
type CustomSpellingConfig struct {
	SpellingDictionary map[string][]string `json:"spelling_dictionary,omitzero" maxProperties:"1000" maxItems:"100" minLength:"1" maxLength:"500"`
}

// TranslationConfig is into what to translate, and how.
type TranslationConfig struct {
	TargetLanguages         List[string] `json:"target_languages,omitzero" minItems:"1" maxItems:"200" unique:"true" code:"true" enum:"af,am,ar,as,az,ba,be,bg,bn,bo,br,bs,ca,cs,cy,da,de,el,en,es,et,eu,fa,fi,fo,fr,gl,gu,ha,haw,he,hi,hr,ht,hu,hy,id,is,it,ja,jw,ka,kk,km,kn,ko,la,lb,ln,lo,lt,lv,mg,mi,mk,ml,mn,mr,ms,mt,my,ne,nl,nn,no,oc,pa,pl,ps,pt,ro,ru,sa,sd,si,sk,sl,sn,so,sq,sr,su,sv,sw,ta,te,tg,th,tk,tl,tr,tt,uk,ur,uz,vi,yi,yo,zh,wo"`
	Model                   string       `json:"model" default:"batch" enum:"base,batch,enhanced"`
	MatchOriginalUtterances bool         `json:"match_original_utterances" default:"true"`
	Lipsync                 bool         `json:"lipsync" default:"true"`
	ContextAdaptation       bool         `json:"context_adaptation" default:"true"`
	Context                 string       `json:"context,omitempty" maxLength:"10000" doc:"What the talk is about"`
	Informal                bool         `json:"informal" default:"false"`
}

// SummarizationConfig is what a summary looks like.
type SummarizationConfig struct {
	Type string `json:"type" default:"general" enum:"general,bullet_points,concise"`
}

// What is applied where a request that needs it leaves it open.
const (
	DefaultIntensity     = 0.5    // of the words of a vocabulary
	DefaultEntityType    = "GDPR" // of what is redacted
	DefaultProcessedText = "MARKER"
)

// fill sets the redaction's defaults. A lone type is shown as the string that clients' own types
// have.
func (p *PIIRedactionConfig) fill() {
	if len(p.EntityTypes) == 0 {
		p.EntityTypes, p.lone = List[string]{DefaultEntityType}, true
	}
	if p.ProcessedTextType == "" {
		p.ProcessedTextType = DefaultProcessedText
	}
}

// fill sets the vocabulary's defaults.
func (c *CustomVocabularyConfig) fill() {
	if c.DefaultIntensity == nil {
		usual := DefaultIntensity
		c.DefaultIntensity = &usual
	}
}
