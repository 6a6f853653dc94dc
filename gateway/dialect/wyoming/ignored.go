package wyoming

import "steno/gateway/dialect"

// ignored lists what clients may ask for without effect.
func ignored() []dialect.Ignored {
	return []dialect.Ignored{
		{Where: "transcribe", Option: "context", Why: "each utterance stands alone"},
		{Where: "transcribe", Option: "vad_sensitivity", Why: "clients tell where an utterance ends"},
		{Where: "audio-start, audio-chunk, audio-stop", Option: "timestamp", Why: "chunks follow each other"},
	}
}
