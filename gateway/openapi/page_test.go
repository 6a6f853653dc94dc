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
		{Method: "POST", Path: "/v2/live", Summary: "<b>", Details: Details{Takes: Body(JSON[LiveRequest]().Like(ExampleLive()))}},
		{Method: "GET", Path: "/v2/transcription/{id}", Summary: "List", Details: Details{Query: ListOfBoth(), Gives: Answers(200, JSON[Page]())}},
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

// TestPage sees that the page is well formed, needs nothing from elsewhere, and that all its links lead somewhere.
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
		case kind == html.StartTagToken && !slices.Contains([]string{"meta", "br"}, token.Data):
			stack = append(stack, token.Data)
		case kind == html.EndTagToken:
			if len(stack) == 0 || stack[len(stack)-1] != token.Data {
				t.Fatalf("</%s> closes %v", token.Data, stack)
			}
			stack = stack[:len(stack)-1]
		}
		if kind != html.TextToken && slices.Contains([]string{"script", "link", "img", "iframe", "object", "b"}, token.Data) {
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
		if inside && !slices.Contains(ids, id) || !inside && link != "openapi.json" && link != "asyncapi.json" {
			t.Errorf("%s leads nowhere", link)
		}
	}
}

// TestPageSaysAll sees that every operation, message, close code and schema stands on the page.
func TestPageSaysAll(t *testing.T) {
	page, _ := testPage(t)
	doc := async(t)
	want := []string{`id="postV2Live"`, `id="getV2TranscriptionId"`, "4413", "frame larger than allowed", "receive_partial_transcripts", "default 0.05, at least 0.01, at most 10"}
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

// TestPolicy sees that the policy allows the style that the page has, and only that.
func TestPolicy(t *testing.T) {
	page, policy := testPage(t)
	_, rest, _ := bytes.Cut(page, []byte("<style>"))
	style, _, _ := bytes.Cut(rest, []byte("</style>"))
	sum := sha256.Sum256(style)
	hash := base64.StdEncoding.EncodeToString(sum[:])
	if len(style) < 1000 || !strings.Contains(policy, "style-src 'sha256-"+hash+"'") || !strings.HasPrefix(policy, "default-src 'none';") {
		t.Errorf("%d bytes of style, policy %s", len(style), policy)
	}
}
