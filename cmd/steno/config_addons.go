package main

import (
	"fmt"
	"slices"
	"time"
)

// Addons configures the time limits and the providers of add-ons.
type Addons struct {
	Realtime       time.Duration `yaml:"realtime"`   // for one add-on and one final
	PostProcessing time.Duration `yaml:"afterwards"` // for one add-on and a whole transcript
	LLM            LLM           `yaml:"llm"`
	Translation    Translation   `yaml:"translation"`
}

// LLM configures a language model with OpenAI's interface for chats. Use lists the add-ons that it does in the place of what is
// embedded. Redaction lets it read what is to be redacted.
type LLM struct {
	URL         string        `yaml:"url"`
	Key         string        `yaml:"key"`
	KeyEnv      string        `yaml:"key_env"`
	Model       string        `yaml:"model"`
	Models      []string      `yaml:"models"`
	Use         []string      `yaml:"use"`
	Redaction   bool          `yaml:"redaction"`
	Schema      string        `yaml:"schema"`
	MaxInput    int           `yaml:"max_input"`
	Concurrency int           `yaml:"concurrency"`
	Timeout     time.Duration `yaml:"timeout"`
}

// Translation configures the translators.
type Translation struct {
	LibreTranslate LibreTranslate `yaml:"libretranslate"`
	Apertium       bool           `yaml:"apertium"`
}

// LibreTranslate configures a server with LibreTranslate's interface.
type LibreTranslate struct {
	URL    string `yaml:"url"`
	Key    string `yaml:"key"`
	KeyEnv string `yaml:"key_env"`
}

// llmUses are the add-ons that a language model can do in the place of other providers.
var llmUses = []string{"summarization", "chapterization", "sentiment_analysis", "named_entity_recognition", "translation"}

// check reports settings that cannot work.
func (a Addons) check(fault faults) {
	if a.Realtime < 100*time.Millisecond || a.Realtime > time.Minute {
		fault("addons.realtime must be 100ms to 1m")
	}
	if a.PostProcessing < time.Second || a.PostProcessing > time.Hour {
		fault("addons.afterwards must be 1s to 1h")
	}
	for _, use := range a.LLM.Use {
		if !slices.Contains(llmUses, use) {
			fault("addons.llm.use: %q is none of %v", use, llmUses)
		}
	}
	if a.LLM.URL != "" && a.LLM.Model == "" {
		fault("addons.llm.model must not be empty")
	}
	if a.LLM.Redaction && a.LLM.URL == "" {
		fault("addons.llm.redaction needs addons.llm.url")
	}
	if a.LLM.Concurrency < 0 || a.LLM.Concurrency > 256 {
		fault("addons.llm.concurrency must be 0 to 256")
	}
}

// secret returns a key: that of the environment variable if one is named. What names the setting in errors.
func secret(what, key, variable string, environ []string) (string, error) {
	if variable == "" {
		return key, nil
	}
	value, ok := lookup(environ, variable)
	if !ok {
		return "", fmt.Errorf("environment variable %s, which %s.key_env names, is not set", variable, what)
	}
	return value, nil
}
