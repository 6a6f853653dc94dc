package config

import (
	"fmt"
	"time"
)

// Addons configures the time limits and the providers of add-ons.
type Addons struct {
	Realtime       time.Duration `yaml:"realtime" bounds:"100ms..1m"` // for one add-on and one final
	PostProcessing time.Duration `yaml:"afterwards" bounds:"1s..1h"`  // for one add-on and a whole transcript
	LLM            LLM           `yaml:"llm"`
	Translation    Translation   `yaml:"translation"`
}

// LLM configures a language model with OpenAI's interface for chats. Use lists the add-ons that it
// does in the place of what is embedded. Redaction lets it read what is to be redacted.
type LLM struct {
	URL         string        `yaml:"url"`
	Key         string        `yaml:"key"`
	KeyEnv      string        `yaml:"key_env"`
	Model       string        `yaml:"model"`
	Models      []string      `yaml:"models"`
	Use         []string      `yaml:"use" choices:"summarization,chapterization,sentiment_analysis,named_entity_recognition,translation"`
	Redaction   bool          `yaml:"redaction"`
	Schema      string        `yaml:"schema" choices:"json_schema,json_object,none"`
	MaxInput    int           `yaml:"max_input" bounds:"0 or 1000.."`
	Concurrency int           `yaml:"concurrency" bounds:"0..256"`
	Timeout     time.Duration `yaml:"timeout" bounds:"0s.."`
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

// check reports settings that cannot work.
func (a Addons) check(fault faults) {
	if a.LLM.URL != "" && a.LLM.Model == "" {
		fault("addons.llm.model must not be empty")
	}
	if a.LLM.Redaction && a.LLM.URL == "" {
		fault("addons.llm.redaction needs addons.llm.url")
	}
}

// Secret returns a key: that of the environment variable if one is named. What names the setting in
// errors.
func Secret(what, key, variable string, environ []string) (string, error) {
	if variable == "" {
		return key, nil
	}
	value, ok := Lookup(environ, variable)
	if !ok {
		return "", fmt.Errorf("environment variable %s, which %s.key_env names, is not set", variable, what)
	}
	return value, nil
}
