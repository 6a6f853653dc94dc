package messages

// Messages about a whole session that would be too long are truncated. Each function below returns
// a copy without some part; it shares the rest with the original, which stays as it is. Lists
// become empty, required fields stay.

// copyWith is a copy of a list with each element changed.
func copyWith[T any](list List[T], change func(*T)) List[T] {
	copied := append(List[T](nil), list...)
	for i := range copied {
		change(&copied[i])
	}
	return copied
}

// withResults is a copy of an add-on's result with changed results; nil of nil.
func withResults[T any](r *AddonResult[T], change func(T) T) *AddonResult[T] {
	if r == nil {
		return nil
	}
	copied := *r
	copied.Results = change(r.Results)
	return &copied
}

func empty[T any](List[T]) List[T] { return nil }

func utterancesWithoutWords(us List[Utterance]) List[Utterance] {
	return copyWith(us, func(u *Utterance) { u.Words = nil })
}

func (t Transcription) withoutWords() Transcription {
	t.Utterances = utterancesWithoutWords(t.Utterances)
	return t
}

// withoutUtterances keeps the full transcript.
func (t Transcription) withoutUtterances() Transcription {
	t.Utterances, t.Sentences, t.Subtitles = nil, nil, nil
	return t
}

// withoutText keeps the languages alone.
func (t Transcription) withoutText() Transcription {
	t = t.withoutUtterances()
	t.FullTranscript = ""
	return t
}

func chaptersWithoutWords(list List[Chapter]) List[Chapter] {
	return copyWith(list, func(c *Chapter) {
		c.Sentences = copyWith(c.Sentences, func(s *ChapterSentence) { s.Words = nil })
	})
}

// chaptersWithoutSentences keeps their text.
func chaptersWithoutSentences(list List[Chapter]) List[Chapter] {
	return copyWith(list, func(c *Chapter) { c.Sentences = nil })
}

// chaptersWithoutText keeps headlines, summaries and keywords.
func chaptersWithoutText(list List[Chapter]) List[Chapter] {
	return copyWith(list, func(c *Chapter) { c.Sentences, c.Text = nil, "" })
}

func translationsWithoutWords(list List[TranslationResult]) List[TranslationResult] {
	return copyWith(list, func(t *TranslationResult) { t.Utterances = utterancesWithoutWords(t.Utterances) })
}

// translationsWithoutUtterances keeps the full transcripts.
func translationsWithoutUtterances(list List[TranslationResult]) List[TranslationResult] {
	return copyWith(list, func(t *TranslationResult) { t.Utterances, t.Sentences, t.Subtitles = nil, nil, nil })
}

func (r LiveResult) withoutWords() LiveResult {
	r.Transcription = r.Transcription.withoutWords()
	r.Translation = withResults(r.Translation, translationsWithoutWords)
	r.Chapterization = withResults(r.Chapterization, chaptersWithoutWords)
	return r
}

// withoutDuplicates leaves out what repeats the text: the utterances of translations, and sentences
// and text of chapters.
func (r LiveResult) withoutDuplicates() LiveResult {
	r.Translation = withResults(r.Translation, translationsWithoutUtterances)
	r.Chapterization = withResults(r.Chapterization, chaptersWithoutText)
	return r
}

// withoutAnnotations leaves out what add-ons found at places in the text.
func (r LiveResult) withoutAnnotations() LiveResult {
	r.NamedEntityRecognition = withResults(r.NamedEntityRecognition, empty)
	r.SentimentAnalysis = withResults(r.SentimentAnalysis, func(string) string { return "[]" })
	return r
}

func (r LiveResult) withoutUtterances() LiveResult {
	r.Transcription = r.Transcription.withoutUtterances()
	return r
}

// withoutAddons keeps of add-ons only whether they succeeded.
func (r LiveResult) withoutAddons() LiveResult {
	r = r.withoutAnnotations()
	r.Translation, r.Chapterization = withResults(r.Translation, empty), withResults(r.Chapterization, empty)
	r.Summarization = withResults(r.Summarization, func(*string) *string { return nil })
	r.Declared = r.Declared.withoutResults()
	return r
}

func (r LiveResult) withoutText() LiveResult {
	r.Transcription = r.Transcription.withoutText()
	return r
}
