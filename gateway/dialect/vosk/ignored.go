package vosk

import "steno/gateway/dialect"

// ignored lists what clients may ask for without effect.
func ignored() []dialect.Ignored {
	const where = "config of /vosk"
	return []dialect.Ignored{
		{Where: where, Option: "sample_rate after the first message", Why: "a session keeps the rate of its audio"},
		{Where: where, Option: "model", Why: "the gateway's usual model hears it"},
		{Where: where, Option: "max_alternatives above 1", Why: "there is one alternative"},
		{Where: where, Option: "phrase_list as the only phrases", Why: "its phrases are preferred, others heard, too"},
	}
}
