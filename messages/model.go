package messages

// Models is what the service can recognize with now.
type Models struct {
	Models List[Model] `json:"models"`
	// EntityTypes are those of pii_redaction and named_entity_recognition.
	EntityTypes EntityTypes `json:"entity_types"`
	// Addons are what can be done beside the transcript.
	Addons List[Addon] `json:"addons"`
}

// EntityTypes are the kinds of entities that requests may name.
type EntityTypes struct {
	Found  List[string] `json:"found" doc:"Found here: in English, more where a language model may look for what is hidden"`
	Unable List[string] `json:"need_a_model" doc:"Accepted, and not found here: it takes a language model"`
	// Groups are the types that each name of a group stands for.
	Groups map[string]List[string] `json:"groups" doc:"What each name of a group stands for"`
}

// Model is one value of the parameter "model".
type Model struct {
	Model string `json:"model" enum:"stt-1,stt-3,stt-fusion"`
	// Default is set for the model of requests that name none.
	Default bool `json:"default"`
	// Modes are the kinds of jobs it is for: live, pre-recorded.
	Modes List[string] `json:"modes"`
	// Languages are the codes that requests may name now. None: the model cannot be used here.
	Languages List[string] `json:"languages"`
	// Detection is set if the language is detected where a request leaves it open; else the first
	// one that it names is used, or the default.
	Detection     bool `json:"language_detection"`
	CodeSwitching bool `json:"code_switching"`
	// Engines are in the order in which they are preferred; the others stand in.
	Engines List[Engine] `json:"engines"`
}

// Engine is something that recognizes speech for a model.
type Engine struct {
	Name string `json:"name"`
	// Available is set while it accepts speech.
	Available bool `json:"available"`
	// Local is set if audio stays on this machine.
	Local     bool              `json:"local"`
	Languages List[string]      `json:"languages"`
	Models    List[EngineModel] `json:"models"`
	// Format is the response_format that a server with OpenAI's interface answers in, empty where
	// it is asked for none; nil for other engines, and while that is not known.
	Format *string `json:"response_format,omitempty"`
	// Times are those that its answers have: "words", "segments" or "none". Others are estimated.
	// Empty where Format is nil.
	Times string `json:"times,omitempty"`
}

// EngineModel is one of the models an engine has loaded.
type EngineModel struct {
	Name      string       `json:"name"`
	Languages List[string] `json:"languages"`
	// Partials is set if it returns partial transcripts.
	Partials bool `json:"partials"`
	// Detects is set if it detects which of its languages is spoken.
	Detects bool `json:"detects"`
	// Licence is that of the model's weights; empty where it is not known.
	Licence string `json:"licence,omitempty"`
}

// Addon is something that can be done beside the transcript, as the service offers it.
type Addon struct {
	// Name is that of the request's field.
	Name string `json:"name"`
	// Modes are the kinds of jobs that have it: live, pre-recorded.
	Modes List[string] `json:"modes"`
	// Available is set if it can be done here. What is not fails in its own message or wrapper,
	// with 501.
	Available bool `json:"available"`
	// By is what does it, the preferred first: "embedded" in the service itself, "engine" by an
	// engine that has models for it, "llm" by a language model, or the names of translators.
	By List[string] `json:"by"`
	// Translators are those of translation, in the order of By.
	Translators List[AddonTranslator] `json:"translators,omitzero"`
}

// AddonTranslator is something that translates.
type AddonTranslator struct {
	Name string `json:"name"`
	// Any is set if all languages are tried.
	Any bool `json:"any"`
	// Pairs are the codes of the target languages by that of the language spoken; nil where they
	// are not known.
	Pairs map[string]List[string] `json:"pairs,omitzero"`
}
