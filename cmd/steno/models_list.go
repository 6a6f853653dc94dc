package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"steno/session/asr/models"
	"steno/session/asr/riva/wire"
)

// What stands for facts that nobody publishes.
const (
	unknown      = "unknown"
	notPublished = "not published"
)

type modelsListCmd struct {
	modelsFolder
	Language string `help:"Only those for a language." placeholder:"CODE"`
	JSON     bool   `help:"Print all that is known, as JSON."`
}

// Run prints one line a model.
func (c modelsListCmd) Run(_ context.Context, p *process) error {
	dir, err := c.dir(p)
	if err != nil {
		return err
	}
	items, err := models.List(dir)
	if err != nil {
		return err
	}
	if c.Language != "" {
		code := wire.Code(c.Language)
		if code == "" {
			return fmt.Errorf("unknown language %q", c.Language)
		}
		var kept []models.Item
		for _, i := range items {
			if i.Speaks(code) {
				kept = append(kept, i)
			}
		}
		items = kept
	}
	if c.JSON {
		return printModelsJSON(p.stdout, items)
	}
	return printModels(p.stdout, items)
}

func printModels(w io.Writer, items []models.Item) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "NAME\tINSTALLED\tLANGUAGES\tSIZE\tLICENCE\tFOR\tERRORS, AS PUBLISHED")
	for _, i := range items {
		installed := "no"
		if i.Installed {
			installed = "yes"
		}
		if i.Problem != "" {
			installed += " (" + i.Problem + ")"
		}
		fmt.Fprintln(t, strings.Join([]string{
			i.Name, installed, briefly(i.Languages), megabytes(i.Size), or(i.Licence, unknown), uses(i.For), errorRate(i),
		}, "\t"))
	}
	return t.Flush()
}

// briefly names a few languages and counts the others.
func briefly(codes []string) string {
	const shown = 4
	switch {
	case len(codes) == 0:
		return "any"
	case len(codes) > shown:
		return fmt.Sprintf("%s and %d more", strings.Join(codes[:shown-1], ", "), len(codes)-shown+1)
	}
	return strings.Join(codes, ", ")
}

func megabytes(bytes int64) string {
	if bytes == 0 {
		return unknown
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

func uses(list []models.Use) string {
	if len(list) == 0 {
		return unknown
	}
	texts := make([]string, len(list))
	for i, u := range list {
		texts[i] = string(u)
	}
	return strings.Join(texts, ", ")
}

// errorRate is the published one, where there could be one.
func errorRate(i models.Item) string {
	if i.WER == "" && len(i.For) > 0 && i.For[0] != models.Partials && i.For[0] != models.Finals {
		return "-"
	}
	return or(i.WER, notPublished)
}

// or is text, or what stands for it where it is empty.
func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// listedModel is a model as the command prints it. What is not known is left out.
type listedModel struct {
	Name      string       `json:"name"`
	Languages []string     `json:"languages"` // none: it does not depend on the language
	Kind      models.Kind  `json:"kind,omitempty"`
	For       []models.Use `json:"for,omitempty"`
	Size      int64        `json:"size_bytes,omitempty"`
	Licence   string       `json:"licence,omitempty"`
	WER       string       `json:"published_errors,omitempty"`
	SHA256    string       `json:"sha256,omitempty"`
	Address   string       `json:"address,omitempty"`
	Installed bool         `json:"installed"`
	Problem   string       `json:"problem,omitempty"`
}

func printModelsJSON(w io.Writer, items []models.Item) error {
	list := make([]listedModel, len(items))
	for n, i := range items {
		list[n] = listedModel{
			Name: i.Name, Languages: append([]string{}, i.Languages...), Kind: i.Kind, For: i.For, Size: i.Size,
			Licence: i.Licence, WER: i.WER, SHA256: i.SHA256, Address: i.Address, Installed: i.Installed, Problem: i.Problem,
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(list)
}
