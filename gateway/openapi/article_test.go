package openapi

import (
	"strings"
	"testing"
)

func TestArticle(t *testing.T) {
	page, policy, err := NewArticle("Clients & servers", []byte("# A\n\n## B c\n\n"+
		"| x | y |\n|---|---|\n| `1` | 2 |\n\n"+
		"<script>alert(1)</script>\n\nSee [there](../b/C.md#d), [here](#b-c) and [it](https://example.com).\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<title>Clients &amp; servers</title>", `<h2 id="b-c">B c</h2>`, "<td><code>1</code></td>", "See there, ",
		`<a href="#b-c">here</a>`, `<a href="https://example.com">it</a>`,
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(string(page), "alert") || !strings.Contains(policy, "style-src 'sha256-") {
		t.Errorf("policy %s, page\n%s", policy, page)
	}
}
