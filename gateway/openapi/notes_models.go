package openapi

// modelNotes holds the notes on what the server can recognize and do. See [notes].
var modelNotes = notes{
	"Models.models":       `doc:"The values of model that requests may name"`,
	"Models.entity_types": `doc:"Kinds of entities, for pii_redaction and named_entity_recognition"`,
	"Models.addons":       `doc:"What can be done beside the transcript"`,

	"Model.model":     `doc:"The value of model"`,
	"Model.default":   `doc:"It is taken where a request names none"`,
	"Model.modes":     `doc:"Kinds of jobs that it is for: live, pre-recorded"`,
	"Model.languages": `doc:"Codes that requests may name now; none: it cannot be used here"`,
	"Model.language_detection": `doc:"The language is found where a request leaves it open; else the first one it ` +
		`names is taken, or the default"`,
	"Model.code_switching": `doc:"It can switch languages within a recording"`,
	"Model.engines":        `doc:"What recognizes, the preferred first; the others stand in"`,

	"Engine.name":      `doc:"As the configuration has it"`,
	"Engine.available": `doc:"It takes speech now"`,
	"Engine.local":     `doc:"What it hears stays on this machine"`,
	"Engine.languages": `doc:"Codes"`,
	"Engine.models":    `doc:"Those it has loaded"`,
	"Engine.response_format": `doc:"In which a server with OpenAI's interface answers, empty where none is asked ` +
		`for; left out for other engines, and before its first answer"`,
	"Engine.times": `enum:"words,segments,none" doc:"The times its answers have; those of words are else ` +
		`estimated"`,

	"EngineModel.name":      `doc:"As the engine has it"`,
	"EngineModel.languages": `doc:"Codes"`,
	"EngineModel.partials":  `doc:"It gives partial transcripts"`,
	"EngineModel.detects":   `doc:"It tells which of its languages is spoken"`,
	"EngineModel.licence":   `doc:"Of its weights; left out where it is not known"`,

	"Addon.name":  `doc:"The switch of a request that asks for it"`,
	"Addon.modes": `doc:"Kinds of jobs that have it here: live, pre-recorded"`,
	"Addon.available": `doc:"It can be done here; where not, asking for it fails in its own message or wrapper, ` +
		`with 501"`,
	"Addon.by": `doc:"What does it, the preferred first: embedded is the service itself; engine an engine ` +
		`that has models for it, if it has; llm a language model; else a translator"`,
	"Addon.translators": `doc:"With translation: those of by, and their languages"`,

	"AddonTranslator.name": `doc:"As in by"`,
	"AddonTranslator.any":  `doc:"It is asked for all languages"`,
	"AddonTranslator.pairs": `doc:"Codes of the targets, by that of the language spoken; left out where they are ` +
		`not known, or any is true"`,
}
