package messages

// Addon is something that can be done beside the transcript, as the service offers it.
type Addon struct {
	// Name is that of the request's field.
	Name string `json:"name"`
	// Modes are the kinds of jobs that have it: live, pre-recorded.
	Modes List[string] `json:"modes"`
	// Available says that it can be done here. What is not fails in its own message or wrapper, with 501.
	Available bool `json:"available"`
	// By is what does it, the preferred first: "embedded" in the service itself, "engine" by an engine that has models for
	// it, "llm" by a language model, or the names of translators.
	By List[string] `json:"by"`
	// Translators are those of translation, in the order of By.
	Translators List[AddonTranslator] `json:"translators,omitzero"`
}

// AddonTranslator is something that translates.
type AddonTranslator struct {
	Name string `json:"name"`
	// Any says that all languages are tried.
	Any bool `json:"any"`
	// Pairs are the codes of the target languages by that of the language spoken; nil where they are not known.
	Pairs map[string]List[string] `json:"pairs,omitzero"`
}
