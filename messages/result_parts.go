package messages

// partKinds are the kinds of events that tell what parts of a live result do, by the names of the parts.
var partKinds = map[string]Kind{
	"translation":              KindTranslation,
	"named_entity_recognition": KindNamedEntityRecognition,
	"sentiment_analysis":       KindSentimentAnalysis,
	"summarization":            KindPostSummarization,
	"chapterization":           KindPostChapterization,
}

// ShowsPart reports whether who is shown the kinds of events in the set is shown a part of a live result, by its name, as well: one that
// those events do not tell.
func (f Filter) ShowsPart(name string) bool {
	kind, ok := partKinds[name]
	return !ok || f.Has(kind)
}
