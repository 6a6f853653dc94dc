package openapi

import (
	"reflect"
	"strings"
	"testing"

	"steno/messages"
)

// gatewayNotes are those of types that are the gateway's own.
const gatewayNotes = "Opened. nodes. node. usage. Token. TokenCreated. TokenList. Ticket."

// everything is a registry that has met every type of the interface.
func everything(t *testing.T) *registry {
	t.Helper()
	g := newRegistry()
	for _, o := range []Operation{
		{Details: Details{Takes: Body(JSON[LiveRequest]()), Gives: Answers(200, JSON[LivePage]())}},
		{Details: Details{Takes: Body(JSON[PreRecordedRequest](), Form[Uploaded]()),
			Gives: Answers(200, JSON[PreRecordedPage]())}},
		{Details: Details{Takes: Body(JSON[messages.TokenRequest](), JSON[messages.SubscriberRequest]())}},
		{Details: Details{Takes: Body(JSON[messages.UploadRequest](), Form[BotForm]()),
			Gives: Answers(200, JSON[Page]())}},
		{Details: Details{Gives: append(Answers(200, JSON[messages.Upload]()),
			Answers(201, JSON[messages.Created]())...)}},
		{Details: Details{Gives: append(Answers(200, JSON[messages.BotAnswer]()),
			Answers(201, JSON[messages.Models]())...), Failure: reflect.TypeFor[messages.BotErrorBody](),
			Refuses: []int{400}}},
	} {
		o.Path = "/"
		g.operation(o)
	}
	doc := async(t)
	doc.client(g)
	doc.server(g)
	doc.subscriber(g)
	doc.result(g)
	if err := g.err(); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestNotes sees that no note is of a field that does not exist.
func TestNotes(t *testing.T) {
	g := everything(t)
	for key := range allNotes() {
		owner, _, _ := strings.Cut(key, ".")
		if !g.noted[key] && !strings.Contains(gatewayNotes, owner+".") {
			t.Errorf("%s is noted but is no field", key)
		}
	}
}

// TestMeanings checks that every field has a description of its meaning, if its type has none.
func TestMeanings(t *testing.T) {
	for _, s := range everything(t).sorted() {
		for _, f := range s.Value.Properties {
			if f.Value.Description == "" && f.Value.Ref == "" && len(f.Value.AnyOf) == 0 {
				t.Errorf("%s.%s does not say what it means", s.Name, f.Name)
			}
		}
	}
}
