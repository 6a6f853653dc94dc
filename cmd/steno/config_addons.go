package main

import (
	"fmt"
	"slices"
	"time"
)

// Addons says how add-ons are done.
type Addons struct {
	Realtime    time.Duration `yaml:"realtime"`
	Afterwards  time.Duration `yaml:"afterwards"`
	LLM         LLM           `yaml:"llm"`
	Translation Translating   `yaml:"translation"`
}

// LLM configures a language model behind OpenAI's interface for chats.
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

// Translating configures what translates.
type Translating struct {
	LibreTranslate LibreTranslate `yaml:"libretranslate"`
	Apertium       bool           `yaml:"apertium"`
}

// LibreTranslate configures a server with LibreTranslate's interface.
type LibreTranslate struct {
	URL    string `yaml:"url"`
	Key    string `yaml:"key"`
	KeyEnv string `yaml:"key_env"`
}

// llmUses are the add-ons that a language model can do in place of what is embedded.
var llmUses = []string{"summarization", "chapterization", "sentiment_analysis", "named_entity_recognition", "translation"}

// check refuses values that cannot work.
func (a Addons) check(fault faults) {
	if a.Realtime < 100*time.Millisecond || a.Realtime > time.Minute {
		fault("addons.realtime must be 100ms to 1m")
	}
	if a.Afterwards < time.Second || a.Afterwards > time.Hour {
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

// secret is a key, from the environment if it is to be found there. What names the setting in errors.
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
