package openapi

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

// fileLink is a link of Markdown to a file of the sources, which a server does not serve.
var fileLink = regexp.MustCompile(`\[([^\]]*)\]\(\.\.?/[^)]*\)`)

// NewArticle returns a page with a text in Markdown, in the style of [NewPage], and its
// Content-Security-Policy. Of links to files beside the text the words remain.
func NewArticle(title string, markdown []byte) (page []byte, policy string, err error) {
	style, err := pageFiles.ReadFile("page.css")
	if err != nil {
		return nil, "", fmt.Errorf("read style: %w", err)
	}
	var text bytes.Buffer
	convert := goldmark.New(goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	if err := convert.Convert(fileLink.ReplaceAll(markdown, []byte("$1")), &text); err != nil {
		return nil, "", fmt.Errorf("read text: %w", err)
	}
	t, err := template.ParseFS(pageFiles, "article.html")
	if err != nil {
		return nil, "", fmt.Errorf("read page: %w", err)
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Title": title, "Style": template.CSS(style), "Text": template.HTML(text.String()),
	})
	if err != nil {
		return nil, "", fmt.Errorf("write page: %w", err)
	}
	return b.Bytes(), policyOf(b.Bytes()), nil
}
