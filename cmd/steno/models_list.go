package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"steno/cmd/steno/terminal"
	"steno/messages"
	"steno/session/asr/models"
	"steno/session/asr/riva/wire"
)

// notPublished is what the list shows for errors that are not published.
const notPublished = "not published"

type modelsListCmd struct {
	modelsFolder
	Language string `help:"Only those for a language." placeholder:"CODE"`
	JSON     bool   `help:"Print all that is known, as JSON."`
}

// Run prints the models, and marks the recommended ones: for the language, or for any.
func (c modelsListCmd) Run(_ context.Context, p *process) error {
	dir, err := c.dir(p)
	if err != nil {
		return err
	}
	items, err := models.List(dir)
	if err != nil {
		return err
	}
	languages := messages.Languages()
	if c.Language != "" {
		code := wire.Code(c.Language)
		if code == "" {
			return fmt.Errorf("unknown language %q", c.Language)
		}
		languages = []string{code}
		items = slices.DeleteFunc(items, func(i models.Item) bool { return !i.Speaks(code) })
	}
	best := recommendedFor(languages)
	if c.JSON {
		return printModelsJSON(p.stdout, items, best)
	}
	return printModels(p.stdout, items, best)
}

// recommendedFor are the names of what is recommended for any of the languages.
func recommendedFor(languages []string) map[string]bool {
	best := map[string]bool{}
	for _, code := range languages {
		chosen, _ := models.Recommend(code)
		for _, e := range chosen {
			best[e.Name] = true
		}
	}
	return best
}

// printModels prints a line of columns and one of details for each model, of up to 100 characters.
func printModels(w io.Writer, items []models.Item, best map[string]bool) error {
	if len(items) == 0 {
		_, err := fmt.Fprintln(w, "none")
		return err
	}
	var table bytes.Buffer
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  NAME\tINSTALLED\tSIZE\tLANGUAGES\tFOR")
	for _, i := range items {
		mark, installed := "  ", "no"
		if best[i.Name] {
			mark = "* "
		}
		if i.Installed {
			installed = "yes"
		}
		fmt.Fprintln(t, strings.Join([]string{mark + i.Name, installed, megabytes(i.Size),
			terminal.Briefly(i.Languages),
			uses(i.For)}, "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	header, rest, _ := strings.Cut(table.String(), "\n")
	fmt.Fprintln(w, header)
	n := 0
	for line := range strings.Lines(rest) {
		fmt.Fprint(w, line)
		fmt.Fprintln(w, "    "+details(items[n]))
		n++
	}
	_, err := fmt.Fprintln(w, "* recommended: steno models pull --language CODE installs it. Errors are as published.")
	return err
}

// details are what stands below a model's line: what is wrong with it, its licence, and its errors
// as published.
func details(i models.Item) string {
	parts := []string{"licence: " + cmp.Or(i.Licence, terminal.Unknown)}
	if i.Wheel != nil {
		parts = append(parts, "by pip, or an archive")
	}
	if i.Problem != "" {
		parts = append([]string{i.Problem}, parts...)
	}
	if rate := errorRate(i); rate != "" {
		parts = append(parts, "errors: "+rate)
	}
	return strings.Join(parts, "; ")
}

func megabytes(bytes int64) string {
	if bytes == 0 {
		return terminal.Unknown
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

func uses(list []models.Use) string {
	if len(list) == 0 {
		return terminal.Unknown
	}
	texts := make([]string, len(list))
	for i, u := range list {
		texts[i] = string(u)
		if u == models.Identification {
			texts[i] = "language"
		}
	}
	return strings.Join(texts, ", ")
}

// errorRate is the published one; empty where there cannot be one.
func errorRate(i models.Item) string {
	if i.WER == "" && len(i.For) > 0 && i.For[0] != models.Partials && i.For[0] != models.Finals {
		return ""
	}
	return cmp.Or(i.WER, notPublished)
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
	Origins   []string     `json:"origins,omitempty"` // in the order in which they are tried
	Installed bool         `json:"installed"`
	Best      bool         `json:"recommended"` // for the language asked for, or for any
	Problem   string       `json:"problem,omitempty"`
}

func printModelsJSON(w io.Writer, items []models.Item, best map[string]bool) error {
	list := make([]listedModel, len(items))
	for n, i := range items {
		list[n] = listedModel{
			Name: i.Name, Languages: append([]string{}, i.Languages...), Kind: i.Kind, For: i.For, Size: i.Size,
			Licence: i.Licence, WER: i.WER, SHA256: i.SHA256, Address: i.Address, Origins: i.Origins(),
			Installed: i.Installed, Best: best[i.Name], Problem: i.Problem,
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(list)
}
