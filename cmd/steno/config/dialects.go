package config

import (
	"reflect"
)

// Dialects are the services whose clients are served. Each is a field, with the dialect's
// name as its key.
type Dialects struct {
	OpenAI     DialectSwitch `yaml:"openai"`
	Deepgram   DialectSwitch `yaml:"deepgram"`
	AssemblyAI DialectSwitch `yaml:"assemblyai"`
	Twilio     DialectSwitch `yaml:"twilio"`
	Telnyx     DialectSwitch `yaml:"telnyx"`
	Vonage     DialectSwitch `yaml:"vonage"`
	Vosk       DialectSwitch `yaml:"vosk"`
	Wyoming    DialectPort   `yaml:"wyoming"`
}

// DialectSwitch switches a dialect on and off.
type DialectSwitch struct {
	Enabled bool `yaml:"enabled"`
}

// DialectPort is the port of a dialect whose clients do not speak HTTP.
type DialectPort struct {
	Listen string `yaml:"listen"` // empty: there is none
	Key    string `yaml:"key"`    // in whose name the sessions of all its clients are
}

// check refuses a port that cannot work.
func (p DialectPort) check(name string, fault faults) {
	if p.Listen == "" {
		return
	}
	checkAddress(name+".listen", p.Listen, fault)
	if p.Key == "" {
		fault("%s.key must be an API key: clients of %s.listen send none", name, name)
	}
}

// Off returns the names of the dialects that are switched off.
func (d Dialects) Off() (names []string) {
	v := reflect.ValueOf(d)
	for i := range v.NumField() {
		if s, ok := v.Field(i).Interface().(DialectSwitch); ok && !s.Enabled {
			names = append(names, v.Type().Field(i).Tag.Get("yaml"))
		}
	}
	return names
}
