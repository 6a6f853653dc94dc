package endtoend_test

import "testing"

// testDocsPage uses the page /docs in a browser, below a path of a proxy. See docs.mjs.
func testDocsPage(t *testing.T, browser string) {
	g := newGateway(t, build(t), "scripted")
	var answer struct{ Copied string }
	runScript(t, "../../../gateway/openapi", "node", "testdata/docs.mjs", map[string]any{"browser": browser,
		"base": belowPath(t, g) + "/speech"}, &answer)
	if answer.Copied == "" {
		t.Error("nothing was copied")
	}
}
