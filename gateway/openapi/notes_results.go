package openapi

// resultNotes holds the notes on results, and the callbacks that bring them. See [notes].
var resultNotes = notes{
	"Metadata.audio_duration": `minimum:"0" doc:"Seconds"`,
	"Metadata.number_of_distinct_channels": `minimum:"1" doc:"Channels transcribed; those of a recording that hold ` +
		`the same count as one, silent ones not at all"`,
	"Metadata.billing_time":       `minimum:"0" doc:"Duration times channels, in seconds"`,
	"Metadata.transcription_time": `minimum:"0" doc:"Seconds of work"`,

	"Word.word":  `doc:"With the space before it: the words joined are the text"`,
	"Word.start": `minimum:"0" doc:"Seconds from the beginning"`,
	"Word.end":   `minimum:"0" doc:"Seconds from the beginning"`,
	"Word.confidence": `minimum:"0" maximum:"1" doc:"The model's own probability; the mean of the utterance where ` +
		`it has none, and 1 with warnings where it never has any"`,

	"Utterance.start":      `minimum:"0" doc:"Of the first word, in seconds from the beginning"`,
	"Utterance.end":        `minimum:"0" doc:"Of the last word, in seconds from the beginning"`,
	"Utterance.confidence": `minimum:"0" maximum:"1" doc:"The mean of its words"`,
	"Utterance.channel":    `minimum:"0" doc:"Counted from 0"`,
	"Utterance.words":      `doc:"The words, in order"`,
	"Utterance.text":       `doc:"The words joined: it begins with a space"`,
	"Utterance.language":   `doc:"Code of the language"`,
	"Utterance.engine":     `doc:"There where the engine that should have recognized this was away: which one did"`,
	"Utterance.speaker":    `minimum:"0" doc:"Counted from 0; left out where speakers are not told apart"`,

	"Transcription.full_transcript": `doc:"The whole text"`,
	"Transcription.languages":       `doc:"Codes, from most to least heard"`,
	"Transcription.utterances":      `doc:"All that was said"`,
	"Transcription.sentences":       `doc:"Where they were asked for"`,
	"Transcription.subtitles":       `doc:"Where they were asked for, one of each format"`,

	"Subtitle.format":    `enum:"srt,vtt" doc:"Format of the file"`,
	"Subtitle.subtitles": `doc:"The whole file"`,

	"TranslationResult.error":           `doc:"Why there is none in this language"`,
	"TranslationResult.full_transcript": `doc:"The whole text"`,
	"TranslationResult.languages":       `doc:"Code of the target language"`,
	"TranslationResult.utterances":      `doc:"All that was said, translated"`,
	"TranslationResult.sentences":       `doc:"Where they were asked for"`,
	"TranslationResult.subtitles":       `doc:"Where they were asked for"`,

	"AddonResult.success":   `doc:"It gave all that was asked for"`,
	"AddonResult.is_empty":  `doc:"Its output is empty"`,
	"AddonResult.exec_time": `minimum:"0" doc:"Seconds it took"`,
	"AddonResult.error":     `doc:"Why it failed; null where it did not"`,
	"AddonResult.results":   `doc:"The output"`,

	"AddonError.status_code": `minimum:"400" maximum:"599" doc:"In the sense of HTTP"`,
	"AddonError.exception":   `doc:"Name of the failure"`,
	"AddonError.message":     `doc:"What went wrong"`,

	"Entity.entity_type": `doc:"Kind of the thing"`,
	"Entity.text":        `doc:"What was said"`,
	"Entity.start":       `minimum:"0" doc:"Seconds from the beginning"`,
	"Entity.end":         `minimum:"0" doc:"Seconds from the beginning"`,

	"Sentiment.sentiment": `enum:"positive,negative,neutral,mixed,unknown" doc:"Mood"`,
	"Sentiment.emotion":   `doc:"Emotion"`,
	"Sentiment.text":      `doc:"What was said"`,
	"Sentiment.start":     `minimum:"0" doc:"Seconds from the beginning"`,
	"Sentiment.end":       `minimum:"0" doc:"Seconds from the beginning"`,
	"Sentiment.channel":   `minimum:"0" doc:"Counted from 0"`,
	"Sentiment.speaker":   `minimum:"0" doc:"Counted from 0; left out where speakers are not told apart"`,

	"Chapter.headline":  `doc:"Title"`,
	"Chapter.gist":      `doc:"In a few words"`,
	"Chapter.keywords":  `doc:"What it is about"`,
	"Chapter.start":     `minimum:"0" doc:"Seconds from the beginning"`,
	"Chapter.end":       `minimum:"0" doc:"Seconds from the beginning"`,
	"Chapter.sentences": `doc:"Its sentences"`,
	"Chapter.text":      `doc:"All that was said in it"`,
	"Chapter.summary":   `doc:"Its summary"`,

	"ChapterSentence.sentence": `doc:"What was said"`,
	"ChapterSentence.start":    `minimum:"0" doc:"Seconds from the beginning"`,
	"ChapterSentence.end":      `minimum:"0" doc:"Seconds from the beginning"`,
	"ChapterSentence.words":    `doc:"The words, in order"`,

	"LLMAnswer.prompt":   `doc:"What was asked"`,
	"LLMAnswer.response": `doc:"What the language model said"`,

	"PreRecordedResult.warnings": `doc:"What befell the recognition; left out where that is nothing"`,
	"LiveResult.warnings": `doc:"What may have been lost of the session though its client was told that ` +
		`it is kept, and what befell the recognition; left out where that is nothing"`,
	"LiveResult.messages": `doc:"All messages of the session but acks and partial transcripts, each as ` +
		`JSON text"`,
	"LiveResult.sentiment_analysis": `doc:"The results are the JSON text of an array of sentiments"`,

	"PreRecordedResult.sentiment_analysis": `doc:"The results are the JSON text of an array of sentiments"`,
	"PreRecordedResult.name_consistency":   `deprecated:"true" doc:"Names, each spelled in one way"`,
	"PreRecordedResult.sentences":          `deprecated:"true" doc:"Use transcription.sentences"`,
	"PreRecordedResult.diarization": `deprecated:"true" doc:"There only where speakers were to be told ` +
		`apart and that failed"`,

	"CallbackSuccess.id":              `format:"uuid" doc:"Of the job"`,
	"CallbackSuccess.event":           `doc:"What has happened"`,
	"CallbackSuccess.custom_metadata": `doc:"That of the request; left out where it had none"`,

	"CallbackError.id":              `format:"uuid" doc:"Of the job"`,
	"CallbackError.event":           `doc:"What has happened"`,
	"CallbackError.custom_metadata": `doc:"That of the request; left out where it had none"`,

	"CallbackFailure.code":    `minimum:"400" maximum:"599" doc:"The job's error_code"`,
	"CallbackFailure.message": `doc:"Why it failed"`,

	"ResultCallback.method": `doc:"HTTP method"`,
}
