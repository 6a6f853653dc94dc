package openapi

// requestNotes holds the notes on the configuration in requests. See [notes].
var requestNotes = notes{
	"PreProcessing.channel":  `minimum:"0" doc:"Counted from 0"`,
	"PreProcessing.time":     `minimum:"0" doc:"Seconds from the session's start"`,
	"PreProcessing.kind":     `enum:"audio_enhancer" doc:"What was done"`,
	"PreProcessing.noise_db": `doc:"Level of the noise, in dB of full scale"`,
	"PreProcessing.gain_db":  `doc:"What was done to it, in dB"`,

	"MessagesConfig.receive_partial_transcripts":   `doc:"transcript, with is_final false"`,
	"MessagesConfig.receive_final_transcripts":     `doc:"transcript, with is_final true"`,
	"MessagesConfig.receive_speech_events":         `doc:"speech_start, speech_end"`,
	"MessagesConfig.receive_pre_processing_events": `doc:"pre_processing; only where it is asked for by name"`,
	"MessagesConfig.receive_realtime_processing_events": `doc:"translation, named_entity_recognition, ` +
		`sentiment_analysis"`,
	"MessagesConfig.receive_post_processing_events": `doc:"post_transcript, post_summarization, ` +
		`post_chapterization, post_final_transcript"`,
	"MessagesConfig.receive_acknowledgments":  `doc:"The answers to audio and to stop_recording"`,
	"MessagesConfig.receive_errors":           `doc:"Refusals; error only where it is asked for by name"`,
	"MessagesConfig.receive_lifecycle_events": `doc:"start_recording, end_recording, end_session"`,

	"CallbackFlags.receive_partial_transcripts":   `doc:"transcript, with is_final false"`,
	"CallbackFlags.receive_final_transcripts":     `doc:"transcript, with is_final true"`,
	"CallbackFlags.receive_speech_events":         `doc:"speech_start, speech_end"`,
	"CallbackFlags.receive_pre_processing_events": `doc:"pre_processing"`,
	"CallbackFlags.receive_realtime_processing_events": `doc:"translation, named_entity_recognition, ` +
		`sentiment_analysis"`,
	"CallbackFlags.receive_post_processing_events": `doc:"post_transcript, post_summarization, ` +
		`post_chapterization, post_final_transcript"`,
	"CallbackFlags.receive_acknowledgments": `doc:"The answers to audio and to stop_recording"`,
	"CallbackFlags.receive_errors":          `doc:"error and refusals"`,
	"CallbackFlags.receive_lifecycle_events": `doc:"start_session, start_recording, end_recording, ` +
		`end_session"`,

	"SubtitlesConfig.formats":                    `doc:"Formats wanted"`,
	"SubtitlesConfig.maximum_characters_per_row": `doc:"Characters in a row, at most"`,
	"SubtitlesConfig.maximum_rows_per_caption":   `doc:"Rows in a caption, at most"`,
	"SubtitlesConfig.style":                      `doc:"Style of the captions"`,

	"DiarizationConfig.min_speakers": `doc:"At least so many"`,
	"DiarizationConfig.max_speakers": `doc:"At most so many"`,

	"PromptPart.content": `doc:"What is asked"`,
	"PromptPart.role":    `doc:"Who says so"`,

	"PIIRedactionConfig.entity_types": `lone:"true"`,

	"StructuredDataExtractionConfig.classes": `doc:"Names of the classes"`,

	"CustomVocabularyConfig.vocabulary": `doc:"The words, needed where custom_vocabulary is true"`,

	"VocabularyEntry.value":     `doc:"The word or phrase"`,
	"VocabularyEntry.intensity": `doc:"How strongly it is preferred"`,

	"CustomSpellingConfig.spelling_dictionary": `doc:"The spelling wanted, and those it replaces; needed where ` +
		`custom_spelling is true"`,

	"TranslationConfig.target_languages":          `doc:"Codes of the languages; needed where translation is true"`,
	"TranslationConfig.model":                     `doc:"How much care is taken"`,
	"TranslationConfig.match_original_utterances": `doc:"Keep to the utterances of the original"`,
	"TranslationConfig.lipsync":                   `doc:"Keep to the times of the original"`,
	"TranslationConfig.context_adaptation":        `doc:"Heed what the talk is about"`,
	"TranslationConfig.informal":                  `doc:"Prefer informal forms"`,

	"SummarizationConfig.type": `doc:"Form of the summary"`,
}
