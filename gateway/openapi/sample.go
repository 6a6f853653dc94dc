package openapi

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// Sample is a program that carries out an operation, as the page shows it. It takes the API key
// from the environment's KEY, and the parameters of a path from variables of their names, such as
// ID; the gateway is at [SampleAddress].
type Sample struct {
	Language string // sh, js or py
	Text     string
}

// SampleAddress is the address of the gateway in samples. On the page it is replaced by the one
// that the page came from.
const SampleAddress = "http://127.0.0.1:8080"

// Name is the language as people know it.
func (s Sample) Name() string {
	return map[string]string{"sh": "curl", "js": "JavaScript", "py": "Python"}[s.Language]
}

// call is what a sample has to do: one request, and something with its answer.
type call struct {
	method, path string
	needsKey     bool
	body         any // JSON; nil: none
	form         []field
	answer       answerKind
	file         string // where the answer is put
}

// field is one of a form.
type field struct {
	name, value string
	file        bool
}

// answerKind is what comes back.
type answerKind int

const (
	answerNothing answerKind = iota
	answerJSON
	answerFile
	answerStream
)

// samplesOf are the samples of an operation, in each language. Deprecated operations have none.
func samplesOf(e endpoint) []Sample {
	if e.Deprecated {
		return nil
	}
	c := callOf(e)
	return []Sample{{"sh", c.curl()}, {"js", c.javaScript()}, {"py", c.python()}}
}

func callOf(e endpoint) call {
	c := call{method: e.Method, path: e.Path, needsKey: len(e.Security) > 0}
	if e.RequestBody != nil {
		first := e.RequestBody.Content[0]
		if first.Name == "multipart/form-data" {
			c.form = formOf(first.Value.Example)
		} else if c.body = first.Value.Example; c.body == nil {
			c.body = map[string]any{}
		}
	}
	for _, r := range e.Responses {
		if strings.HasPrefix(r.Name, "2") {
			c.answerOf(r.Value)
			break
		}
	}
	return c
}

// formOf are the fields of a form's example, where "@name" is a file, in the order of their names
// but the files first.
func formOf(example any) []field {
	var files, all []field
	values, _ := example.(map[string]string)
	for _, name := range sortedKeys(values) {
		if path, file := strings.CutPrefix(values[name], "@"); file {
			files = append(files, field{name, path, true})
		} else {
			all = append(all, field{name: name, value: values[name]})
		}
	}
	return append(files, all...)
}

func (c *call) answerOf(r *responseBody) {
	if len(r.Content) == 0 {
		return
	}
	switch media := r.Content[0].Name; {
	case media == "application/json":
		c.answer = answerJSON
	case media == "text/event-stream":
		c.answer = answerStream
	case media == "audio/wav":
		c.answer, c.file = answerFile, "recording.wav"
	case strings.HasPrefix(media, "audio/"):
		c.answer, c.file = answerFile, "recording"
	case media == "text/html":
		c.answer, c.file = answerFile, "page.html"
	default:
		c.answer, c.file = answerFile, path.Base(c.path)+".txt"
	}
}

// address is the call's URL. Each parameter of the path is a variable of the environment, which the
// language writes as the pattern has it, with %s for the variable's name.
func (c call) address(pattern string) string {
	address := SampleAddress + c.path
	for _, name := range pathNames(c.path) {
		address = strings.Replace(address, "{"+name+"}", fmt.Sprintf(pattern, strings.ToUpper(name)), 1)
	}
	return address
}

// variable tells whether the path has parameters.
func (c call) variable() bool { return strings.Contains(c.path, "{") }

// curl is the call as a command line.
func (c call) curl() string {
	parts := []string{"curl"}
	if c.answer == answerStream {
		parts = append(parts, "-N")
	}
	if posts := c.body != nil || c.form != nil; c.method != "GET" && !(c.method == "POST" && posts) {
		parts = append(parts, "-X "+c.method)
	}
	if c.needsKey {
		parts = append(parts, `-H "x-service-key: $KEY"`)
	}
	for _, f := range c.form {
		if f.file {
			parts = append(parts, "-F "+f.name+"=@"+f.value)
		} else {
			parts = append(parts, "-F "+f.name+"="+f.value)
		}
	}
	if c.body != nil {
		parts = append(parts, "-d '"+indented(c.body)+"'")
	}
	if c.answer == answerFile {
		parts = append(parts, "-o "+c.file)
	}
	return folded(append(parts, c.address("$%s")))
}

// folded puts a command on lines that need no scrolling.
func folded(parts []string) string {
	line := strings.Join(parts, " ")
	if len(line) <= 72 && !strings.Contains(line, "\n") {
		return line
	}
	return parts[0] + " " + strings.Join(parts[1:], " \\\n  ")
}

// indented is JSON in lines. What the page shows is encodable.
func indented(v any) string {
	text, err := pretty(v)
	if err != nil {
		panic(err)
	}
	return text
}

// javaScript is the call as a module for Node.
func (c call) javaScript() string {
	var b strings.Builder
	for _, f := range c.form {
		if f.file {
			b.WriteString("import { openAsBlob } from 'node:fs'\n\n")
		}
	}
	if c.answer == answerFile {
		b.WriteString("import { writeFile } from 'node:fs/promises'\n\n")
	}
	if c.form != nil {
		b.WriteString("const form = new FormData()\n")
	}
	for _, f := range c.form {
		if f.file {
			fmt.Fprintf(&b, "form.set('%s', await openAsBlob('%s'), '%s')\n", f.name, f.value, f.value)
		} else {
			fmt.Fprintf(&b, "form.set('%s', '%s')\n", f.name, f.value)
		}
	}
	address := "'" + c.address("") + "'"
	if c.variable() {
		address = "`" + c.address("${process.env.%s}") + "`"
	}
	fmt.Fprintf(&b, "const answer = await fetch(%s%s)\n", address, c.fetchOptions())
	b.WriteString("if (!answer.ok) throw new Error(await answer.text())\n")
	switch c.answer {
	case answerJSON:
		b.WriteString("console.log(await answer.json())")
	case answerFile:
		fmt.Fprintf(&b, "await writeFile('%s', Buffer.from(await answer.arrayBuffer()))", c.file)
	case answerStream:
		b.WriteString("for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {\n  " +
			"process.stdout.write(text)\n}")
	case answerNothing:
		b.WriteString("console.log(answer.status)")
	}
	return b.String()
}

// fetchOptions returns the second argument of fetch, after a comma; empty where none is needed.
func (c call) fetchOptions() string {
	var lines []string
	if c.method != "GET" {
		lines = append(lines, "method: '"+c.method+"'")
	}
	if c.needsKey {
		lines = append(lines, "headers: { 'x-service-key': process.env.KEY }")
	}
	if c.body != nil {
		lines = append(lines, "body: JSON.stringify("+strings.ReplaceAll(indented(c.body), "\n", "\n  ")+")")
	}
	if c.form != nil {
		lines = append(lines, "body: form")
	}
	if len(lines) == 0 {
		return ""
	}
	return ", {\n  " + strings.Join(lines, ",\n  ") + ",\n}"
}

// python is the call as a script.
func (c call) python() string {
	var b strings.Builder
	if c.needsKey || c.variable() {
		b.WriteString("import os\n\n")
	}
	b.WriteString("import requests\n\n")
	address := `"` + c.address("") + `"`
	if c.variable() {
		address = `f"` + c.address(`{os.environ['%s']}`) + `"`
	}
	lines := append([]string{address}, c.pythonArguments()...)
	fmt.Fprintf(&b, "answer = requests.%s(\n    %s,\n)\nanswer.raise_for_status()\n", strings.ToLower(c.method),
		strings.Join(lines, ",\n    "))
	switch c.answer {
	case answerJSON:
		b.WriteString("print(answer.json())")
	case answerFile:
		fmt.Fprintf(&b, "with open(\"%s\", \"wb\") as file:\n    file.write(answer.content)", c.file)
	case answerStream:
		b.WriteString("for line in answer.iter_lines():\n    print(line.decode())")
	case answerNothing:
		b.WriteString("print(answer.status_code)")
	}
	return b.String()
}

// pythonArguments returns the arguments of the call of requests that follow the address.
func (c call) pythonArguments() (lines []string) {
	if c.needsKey {
		lines = append(lines, `headers={"x-service-key": os.environ["KEY"]}`)
	}
	if c.body != nil {
		lines = append(lines, "json="+strings.ReplaceAll(pythonLiteral(c.body), "\n", "\n    "))
	}
	var files, data []string
	for _, f := range c.form {
		if f.file {
			files = append(files, fmt.Sprintf("%q: open(%q, \"rb\")", f.name, f.value))
		} else {
			data = append(data, fmt.Sprintf("%q: %q", f.name, f.value))
		}
	}
	if files != nil {
		lines = append(lines, "files={"+strings.Join(files, ", ")+"}")
	}
	if data != nil {
		lines = append(lines, "data={"+strings.Join(data, ", ")+"}")
	}
	if c.answer == answerStream {
		lines = append(lines, "stream=True")
	}
	return lines
}

// pythonLiteral is a value of JSON as Python writes it.
func pythonLiteral(v any) string {
	text := indented(v)
	for _, word := range [][2]string{{"true", "True"}, {"false", "False"}, {"null", "None"}} {
		text = replaceWord(text, word[0], word[1])
	}
	return text
}

// replaceWord replaces a word of JSON outside its strings.
func replaceWord(text, old, with string) string {
	var b strings.Builder
	for {
		quote := strings.IndexByte(text, '"')
		if quote < 0 {
			b.WriteString(strings.ReplaceAll(text, old, with))
			return b.String()
		}
		b.WriteString(strings.ReplaceAll(text[:quote], old, with))
		text = text[quote:]
		var s json.RawMessage
		d := json.NewDecoder(strings.NewReader(text))
		if err := d.Decode(&s); err != nil {
			panic(err) // the text was encoded by this program
		}
		b.Write(s)
		text = text[len(s):]
	}
}
