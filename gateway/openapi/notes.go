package openapi

import (
	"maps"
	"reflect"
	"strings"

	"steno/messages"
)

// notes hold what the tags of package messages leave out, by Type.field. A value is appended to the
// tag of the field.
type notes map[string]reflect.StructTag

// allNotes returns the notes on all types.
func allNotes() notes {
	codes := reflect.StructTag(`enum:"` + strings.Join(messages.Languages(), ",") + `"`)
	all := notes{"BotForm.code_switching_languages": codes, "BotForm.language": codes}
	for _, some := range []notes{jobNotes, requestNotes, modelNotes, resultNotes, tokenNotes} {
		maps.Copy(all, some)
	}
	return all
}
