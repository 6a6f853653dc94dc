package dialect

import (
	"reflect"
	"slices"
	"strings"

	"steno/messages"
)

// Models are the names of the gateway's models. The first one stands for those of other services.
var Models = modelsOf(reflect.TypeFor[messages.LiveRequest]())

// modelsOf returns the models that the declaration of a request has.
func modelsOf(request reflect.Type) []string {
	field, _ := request.FieldByName("Model")
	return strings.Split(field.Tag.Get("enum"), ",")
}

// AddLanguage adds the language that a client names by its code or a tag to a list that does not
// have it yet. It returns false for one that is not known.
func AddLanguage(list messages.List[string], name string) (messages.List[string], bool) {
	code := messages.LanguageCode(name)
	if !slices.Contains(messages.Languages(), code) {
		return list, false
	}
	if !slices.Contains(list, code) {
		list = append(list, code)
	}
	return list, true
}

// SameLanguages reports whether two lists have the same codes, in whatever order.
func SameLanguages(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
