package messages

// partKinds are the kinds of events that tell what parts of a live result do, by the names of the
// parts.
var partKinds = map[string]Kind{
	"translation":              KindTranslation,
	"named_entity_recognition": KindNamedEntityRecognition,
	"sentiment_analysis":       KindSentimentAnalysis,
	"summarization":            KindPostSummarization,
	"chapterization":           KindPostChapterization,
}

// ShowsPart reports whether somebody who is shown the kinds of events in the set is shown a part of
// a live result, by its name, as well: what no event reports, and what the events shown report.
func (f Filter) ShowsPart(name string) bool {
	switch name {
	case "metadata", "transcription", "warnings", "messages":
		return true
	}
	if kind, ok := partKinds[name]; ok {
		return f.Has(kind)
	}
	return f.Has(KindAddonFinal) || f.Has(KindAddonSession)
}
