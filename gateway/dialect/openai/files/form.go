package files

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"steno/gateway/dialect/openai"
)

// form is what a client sends with its file. Its fields are read by the names of their tags, and
// described by them.
type form struct {
	File          []byte   `json:"file" required:"true" doc:"The recording"`
	Model         string   `json:"model" doc:"One of GET /v1/models; without it the first"`
	Language      string   `json:"language" doc:"Of the speech, by its code, tag or English name"`
	Languages     []string `json:"languages" doc:"Of the speech, where there are several"`
	Prompt        string   `json:"prompt" doc:"Its lists and names are vocabulary"`
	Keywords      []string `json:"keywords" doc:"Vocabulary"`
	Format        string   `json:"response_format" default:"json" enum:"json,text,srt,verbose_json,vtt,diarized_json"`
	Temperature   float64  `json:"temperature" minimum:"0" maximum:"2" doc:"Without effect"`
	Stream        bool     `json:"stream" default:"false" doc:"Whether to send the text as it is recognized"`
	Granularities []string `json:"timestamp_granularities" enum:"word,segment" doc:"What verbose_json has"`
	Include       []string `json:"include" enum:"logprobs"`
}

// readForm reads the fields of a form beside its file. Lists may have "[]" after their names. What
// is not known is ignored, as clients send what other servers take.
func readForm(fields map[string][]string) (f form, err error) {
	for field, value := range reflect.ValueOf(&f).Elem().Fields() {
		name := field.Tag.Get("json")
		given := slices.DeleteFunc(slices.Concat(fields[name], fields[name+"[]"]),
			func(v string) bool { return v == "" })
		if len(given) == 0 {
			continue
		}
		last, rule := strings.TrimSpace(given[len(given)-1]), ""
		switch into := value.Addr().Interface().(type) {
		case *[]string:
			*into = given
		case *string:
			*into = last
		case *float64:
			*into, err = strconv.ParseFloat(last, 64)
			rule = "must be a number"
		case *bool:
			*into, err = strconv.ParseBool(last)
			rule = "must be true or false"
		}
		if err != nil {
			return f, openai.Invalid(name, rule)
		}
	}
	return f, nil
}
