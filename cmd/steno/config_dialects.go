package main

import "reflect"

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
}

// DialectSwitch switches a dialect on and off.
type DialectSwitch struct {
	Enabled bool `yaml:"enabled"`
}

// off returns the names of the dialects that are switched off.
func (d Dialects) off() (names []string) {
	v := reflect.ValueOf(d)
	for i := range v.NumField() {
		if s, ok := v.Field(i).Interface().(DialectSwitch); ok && !s.Enabled {
			names = append(names, v.Type().Field(i).Tag.Get("yaml"))
		}
	}
	return names
}
