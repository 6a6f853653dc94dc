package openapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func testPage(t *testing.T) (page []byte, policy string) {
	t.Helper()
	open, err := NewOpenAPI(info(), []Operation{
		{Method: "POST", Path: "/v2/live", Summary: "<b>",
			Details: Details{Takes: Body(JSON[LiveRequest]().Like(ExampleLive()))}},
		{Method: "GET", Path: "/v2/transcription/{id}", Summary: "List", Details: Details{Query: ListOfBoth(),
			Gives: Answers(200, JSON[Page]())}},
	})
	if err != nil {
		t.Fatal(err)
	}
	page, policy, err = NewPage(open, async(t))
	if err != nil {
		t.Fatal(err)
	}
	return page, policy
}

// TestPage sees that the page is well formed, needs nothing from elsewhere, and that all its links
// lead somewhere.
func TestPage(t *testing.T) {
	page, _ := testPage(t)
	var stack, ids, links []string
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		token := z.Token()
		switch {
		case kind == html.StartTagToken && !slices.Contains([]string{"meta", "br", "input"}, token.Data):
			stack = append(stack, token.Data)
		case kind == html.EndTagToken:
			if len(stack) == 0 || stack[len(stack)-1] != token.Data {
				t.Fatalf("</%s> closes %v", token.Data, stack)
			}
			stack = stack[:len(stack)-1]
		}
		if kind != html.TextToken && slices.Contains([]string{"link", "img", "iframe", "object", "b"}, token.Data) {
			t.Errorf("the page has a %s", token.Data)
		}
		for _, a := range token.Attr {
			switch a.Key {
			case "id":
				if slices.Contains(ids, a.Val) {
					t.Errorf("%s is there twice", a.Val)
				}
				ids = append(ids, a.Val)
			case "href":
				links = append(links, a.Val)
			case "src", "style", "srcset":
				t.Errorf("%s has %s", token.Data, a.Key)
			}
		}
	}
	if len(stack) > 0 {
		t.Errorf("not closed: %v", stack)
	}
	for _, link := range links {
		id, inside := strings.CutPrefix(link, "#")
		// The documents are beside the page; an ErrorBody is described with the operations.
		if inside && !slices.Contains(ids, id) || !inside && !slices.Contains([]string{"openapi.json", "asyncapi.json",
			"./", "docs/dialects"}, link) {
			t.Errorf("%s leads nowhere", link)
		}
	}
}

// TestPageSaysAll sees that every operation, message, close code and schema stands on the page.
func TestPageSaysAll(t *testing.T) {
	page, _ := testPage(t)
	doc := async(t)
	want := []string{`id="postV2Live"`, `id="getV2TranscriptionId"`, "4413", "frame larger than allowed",
		"receive_partial_transcripts", "default 0.05, at least 0.01, at most 10"}
	for _, m := range doc.Components.Messages {
		want = append(want, `id="message-`+m.Name+`"`)
	}
	for _, s := range doc.Components.Schemas {
		want = append(want, `id="schema-`+s.Name+`"`)
	}
	for _, part := range want {
		if !bytes.Contains(page, []byte(part)) {
			t.Errorf("the page lacks %s", part)
		}
	}
}

// TestPolicy sees that the policy allows the style and the script that the page has, and only
// these.
func TestPolicy(t *testing.T) {
	page, policy := testPage(t)
	for _, element := range []string{"style", "script"} {
		if n := bytes.Count(page, []byte("<"+element)); n != 1 {
			t.Errorf("the page has %d of %s", n, element)
		}
		_, rest, _ := bytes.Cut(page, []byte("<"+element+">"))
		text, _, _ := bytes.Cut(rest, []byte("</"+element+">"))
		sum := sha256.Sum256(text)
		hash := base64.StdEncoding.EncodeToString(sum[:])
		if len(text) < 1000 || !strings.Contains(policy, element+"-src 'sha256-"+hash+"'") {
			t.Errorf("%d bytes of %s, policy %s", len(text), element, policy)
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %s", policy)
	}
}

// TestSamples sees that operations have samples in all languages, with the address, the key and the
// id where they belong.
func TestSamples(t *testing.T) {
	e := endpoint{"POST", "/v2/live/{id}/x", &operation{Security: []map[string][]string{{keyScheme: nil}},
		RequestBody: &requestBody{
			Content: Ordered[*mediaType]{{"application/json",
				&mediaType{Example: map[string]any{"on": true, "text": "true", "none": nil}}}},
		}, Responses: Ordered[*responseBody]{{"201",
			&responseBody{Content: Ordered[*mediaType]{{"application/json", &mediaType{}}}}}}}}
	for i, want := range []string{
		`curl -H "x-service-key: $KEY" \
  -d '{"none": null, "on": true, "text": "true"}' \
  http://127.0.0.1:8080/v2/live/$ID/x`,
		"const answer = await fetch(`http://127.0.0.1:8080/v2/live/${process.env.ID}/x`, {\n  method: 'POST',",
		`json={"none": None, "on": True, "text": "true"}`,
	} {
		if s := samplesOf(e)[i]; !strings.Contains(s.Text, want) {
			t.Errorf("%s is\n%s\nwant\n%s", s.Language, s.Text, want)
		}
	}
	e.Deprecated = true
	if samplesOf(e) != nil {
		t.Error("a deprecated operation has samples")
	}
}
