package openapi

import (
	"reflect"
	"strconv"

	"steno/messages"
)

// Texts are parameters of these names, any text each; nil for none.
func Texts(names []string) reflect.Type {
	var fields []reflect.StructField
	for i, name := range names {
		fields = append(fields, reflect.StructField{Name: "P" + strconv.Itoa(i), Type: reflect.TypeFor[string](),
			Tag: reflect.StructTag(`json:"` + name + `"`)})
	}
	if fields == nil {
		return nil
	}
	return reflect.StructOf(fields)
}

// ListOf are the parameters of a list of jobs.
func ListOf() reflect.Type { return reflect.TypeFor[listQuery]() }

// ListOfBoth are the parameters of a list of jobs of both kinds.
func ListOfBoth() reflect.Type { return reflect.TypeFor[kindQuery]() }

// Deletion are the parameters of a deletion.
func Deletion() reflect.Type { return reflect.TypeFor[deleteQuery]() }

type deleteQuery struct {
	Cancel bool `json:"cancel" default:"false" doc:"Whether to delete a job that is not finished as well"`
}

// Events are the parameters of the stream of a session's events.
func Events() reflect.Type { return reflect.TypeFor[eventsQuery]() }

// AccountEvents are the parameters of the stream of the events of several sessions.
func AccountEvents() reflect.Type { return reflect.TypeFor[accountEventsQuery]() }

type eventsQuery struct {
	messages.FlagChoice
	From     string `json:"from" doc:"Number of the first event wanted, or the id of the last one received. Without it, and without Last-Event-ID, the stream of a session begins with its first event, that of several with the next"`
	Numbered bool   `json:"seq" default:"false" doc:"Over WebSocket, whether logged messages begin with their number in the session, as the field seq"`
	Ticket   string `json:"ticket" doc:"Stands for key or token where a browser cannot send a header"`
}

type accountEventsQuery struct {
	eventsQuery
	Sessions []string `json:"session" doc:"Ids of sessions, at most 100; may be repeated. The stream has all messages of these then, and from is 0 or an id of a stream of the same"`
}

type listQuery struct {
	Offset   int            `json:"offset" default:"0" minimum:"0" doc:"Jobs to skip"`
	Limit    int            `json:"limit" default:"20" minimum:"1" maximum:"100" doc:"Jobs on a page"`
	Date     string         `json:"date" format:"date" doc:"Jobs created on this day, in UTC"`
	Before   string         `json:"before_date" format:"date-time" doc:"Jobs created before; without a zone it is UTC"`
	After    string         `json:"after_date" format:"date-time" doc:"Jobs created after; without a zone it is UTC"`
	Status   []string       `json:"status" enum:"queued,processing,done,error" doc:"Any of these; may be repeated"`
	Metadata map[string]any `json:"custom_metadata" doc:"What the job's custom_metadata hold: custom_metadata[key]=value, or one JSON object. Values compare by their string form, objects by containment"`
}

type kindQuery struct {
	listQuery
	Kind []string `json:"kind" enum:"pre-recorded,live" doc:"Any of these; may be repeated"`
}
