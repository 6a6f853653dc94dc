package messages

// What is left out of messages that would be too long. Each is a copy that shares what it keeps; the original stays as it is.
// Lists become empty, and fields that must be there stay.

// changed is a copy of a list with each element changed.
func changed[T any](list List[T], change func(*T)) List[T] {
	copied := append(List[T](nil), list...)
	for i := range copied {
		change(&copied[i])
	}
	return copied
}

// less is a copy of an add-on's wrapper with other results; nil of nil.
func less[T any](r *AddonResult[T], change func(T) T) *AddonResult[T] {
	if r == nil {
		return nil
	}
	copied := *r
	copied.Results = change(r.Results)
	return &copied
}

func none[T any](List[T]) List[T] { return nil }

func utterancesWithoutWords(us List[Utterance]) List[Utterance] {
	return changed(us, func(u *Utterance) { u.Words = nil })
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
	return changed(list, func(c *Chapter) {
		c.Sentences = changed(c.Sentences, func(s *ChapterSentence) { s.Words = nil })
	})
}

// chaptersWithoutSentences keeps their text.
func chaptersWithoutSentences(list List[Chapter]) List[Chapter] {
	return changed(list, func(c *Chapter) { c.Sentences = nil })
}

// chaptersWithoutText keeps what is said of them.
func chaptersWithoutText(list List[Chapter]) List[Chapter] {
	return changed(list, func(c *Chapter) { c.Sentences, c.Text = nil, "" })
}

func translationsWithoutWords(list List[TranslationResult]) List[TranslationResult] {
	return changed(list, func(t *TranslationResult) { t.Utterances = utterancesWithoutWords(t.Utterances) })
}

// translationsWithoutUtterances keeps the full transcripts.
func translationsWithoutUtterances(list List[TranslationResult]) List[TranslationResult] {
	return changed(list, func(t *TranslationResult) { t.Utterances, t.Sentences, t.Subtitles = nil, nil, nil })
}

func (r LiveResult) withoutWords() LiveResult {
	r.Transcription = r.Transcription.withoutWords()
	r.Translation = less(r.Translation, translationsWithoutWords)
	r.Chapterization = less(r.Chapterization, chaptersWithoutWords)
	return r
}

// withoutRepeats leaves out what says the same text again: the utterances of translations, and sentences and text of chapters.
func (r LiveResult) withoutRepeats() LiveResult {
	r.Translation = less(r.Translation, translationsWithoutUtterances)
	r.Chapterization = less(r.Chapterization, chaptersWithoutText)
	return r
}

// withoutMarks leaves out what is said of places in the text.
func (r LiveResult) withoutMarks() LiveResult {
	r.NamedEntityRecognition = less(r.NamedEntityRecognition, none)
	r.SentimentAnalysis = less(r.SentimentAnalysis, func(string) string { return "[]" })
	return r
}

func (r LiveResult) withoutUtterances() LiveResult {
	r.Transcription = r.Transcription.withoutUtterances()
	return r
}

// withoutAddons keeps of add-ons only how they went.
func (r LiveResult) withoutAddons() LiveResult {
	r = r.withoutMarks()
	r.Translation, r.Chapterization = less(r.Translation, none), less(r.Chapterization, none)
	r.Summarization = less(r.Summarization, func(*string) *string { return nil })
	return r
}

func (r LiveResult) withoutText() LiveResult {
	r.Transcription = r.Transcription.withoutText()
	return r
}
