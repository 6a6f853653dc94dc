package openapi

import "reflect"

// Operation is one operation of the HTTP API.
type Operation struct {
	Method  string
	Path    string // with its parameters in braces
	Summary string
	Scopes  []string // that a key or token needs; none: any key or token will do
	Details
}

// Details are what a description states about an operation beyond its address. A gateway has them
// in its table of routes.
type Details struct {
	// Notes are what the summary leaves out.
	Notes string
	// Open operations need no API key.
	Open bool
	// Deprecated operations have a better one.
	Deprecated bool
	// Query is a struct whose fields are the parameters of the query, tagged like those of package
	// messages; nil: none.
	Query reflect.Type
	// Takes are the forms a request's body may have, those of one media type together; none: no
	// body.
	Takes []Content
	// Bodiless: the body of a request may be left out.
	Bodiless bool
	// Gives are the answers of success.
	Gives []Answer
	// Refuses are the statuses of failure beyond those that every operation has: 401 where a key is
	// needed, 500.
	Refuses []int
	// Failure is the type of the answers of failure; nil: that of all operations.
	Failure reflect.Type
	// Dialect is the name of the dialect whose operation it is, after which its failure is named;
	// empty: the gateway's own. Those of dialects are not on the page, which has a text about them.
	Dialect string
}

// Content is a body: what it is, and of which type where it is JSON or a form.
type Content struct {
	Media string
	Type  reflect.Type // nil: bytes
	Note  string       // what to know about it
	// Example is a value whose JSON is such a body; nil: none.
	Example any
}

// Like is the content with an example.
func (c Content) Like(example any) Content {
	c.Example = example
	return c
}

// Answer is a status and what comes with it; no content: an empty body.
type Answer struct {
	Status  int
	Content []Content
	Headers []Header
}

// Header is a header that an answer may have.
type Header struct{ Name, Note string }

// Raw is a type whose JSON is read later, as that of another type.
type Raw interface{ ReadAs() reflect.Type }

// JSON is a body that is the JSON of a T.
func JSON[T any]() Content { return Content{Media: "application/json", Type: reflect.TypeFor[T]()} }

// Form is a multipart form with the fields of T; a field of bytes is a file.
func Form[T any]() Content { return Content{Media: "multipart/form-data", Type: reflect.TypeFor[T]()} }

// Bytes is a body that is no JSON.
func Bytes(media, note string) Content { return Content{Media: media, Note: note} }

// Body lists the forms of a body.
func Body(forms ...Content) []Content { return forms }

// Answers lists one answer.
func Answers(status int, forms ...Content) []Answer {
	return []Answer{{Status: status, Content: forms}}
}

// With adds a header to answers.
func With(answers []Answer, h Header) []Answer {
	for i := range answers {
		answers[i].Headers = append(answers[i].Headers, h)
	}
	return answers
}
