package messages

// What is applied where a request that needs it leaves it open.
const (
	DefaultIntensity     = 0.5    // of the words of a vocabulary
	DefaultEntityType    = "GDPR" // of what is redacted
	DefaultProcessedText = "MARKER"
)

// fill sets the redaction's defaults. A lone type is shown as the string that clients' own types have.
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
