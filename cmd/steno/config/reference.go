package config

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Reference is a page about every key of the configuration, as Markdown: what the struct
// contains (type, bounds, choices), what steno.yml does (default, meaning), and the flag of steno
// serve that stands for the key, if it has one.
func Reference(flags map[string]string) ([]byte, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(Defaults, &file); err != nil {
		return nil, fmt.Errorf("built-in steno.yml: %w", err)
	}
	r := reference{flags: flags}
	r.WriteString(referenceHead)
	r.section(reflect.TypeFor[Config](), file.Content[0], "")
	return append(bytes.TrimSpace(r.Bytes()), '\n'), nil
}

const referenceHead = "# Configuration\n\n" +
	"Every key of the configuration file. `steno config` prints the file with all defaults, ready to be edited;\n" +
	"`steno serve --config FILE` takes it, and a file needs only the keys that it changes. Unknown keys are " +
	"refused.\n" +
	"Flags win over environment variables, and these over the file. Durations are written like `500ms`, `30s`, " +
	"`10m` or `3h`;\n" +
	"sizes are bytes; lists in variables are separated by commas. Tables are set in the file alone.\n\n" +
	"A variable that begins with `STENO_` and stands for no key is refused where it seems to be meant for one: its " +
	"name is that\n" +
	"of a key but for one or two letters, such as `STENO_LISTN`, or it begins with a section, such as " +
	"`STENO_LIMITS_IDLE_TIMEOUT`.\n" +
	"Any other is left alone, as are those that Kubernetes sets for Services, and those that `key_env` names.\n\n" +
	"Made by `steno config --reference`.\n"

// reference is the page as it is written.
type reference struct {
	bytes.Buffer
	flags map[string]string
}

// section writes about the keys of a struct, whose mapping in steno.yml is given. Keys without a
// comment share that of the key before them. Structs come last, each with a heading of its own.
func (r *reference) section(t reflect.Type, mapping *yaml.Node, prefix string) {
	var below []int
	about := ""
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("yaml") == "-" {
			continue
		}
		key, value := entryOf(mapping, t.Field(i).Tag.Get("yaml"))
		if t.Field(i).Type.Kind() == reflect.Struct {
			below = append(below, i)
			continue
		}
		if about != "" && key.HeadComment != "" {
			r.meaning(about)
			about = ""
		}
		if key.HeadComment != "" {
			about = key.HeadComment
		}
		r.key(t.Field(i), prefix+key.Value, value)
	}
	r.meaning(about)
	for _, i := range below {
		key, value := entryOf(mapping, t.Field(i).Tag.Get("yaml"))
		path := prefix + key.Value
		fmt.Fprintf(r, "\n%s %s\n", strings.Repeat("#", 2+strings.Count(path, ".")), path)
		r.meaning(key.HeadComment)
		r.section(t.Field(i).Type, value, path+".")
	}
}

// entryOf finds a key of a mapping, and its value. A key that is not there is an empty one.
func entryOf(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i], mapping.Content[i+1]
		}
	}
	return &yaml.Node{Value: name}, &yaml.Node{Kind: yaml.MappingNode}
}

// key writes the line about a key: name, type, range, default, variable and flag.
func (r *reference) key(f reflect.StructField, path string, value *yaml.Node) {
	facts := []string{typeName(f)}
	if b, ok := boundsOf(f); ok {
		facts = append(facts, b.String())
	}
	if choices := choicesOf(f); choices != nil {
		facts = append(facts, "`"+strings.Join(choices, "`, `")+"`")
	}
	facts = append(facts, "default "+shownDefault(value))
	if f.Type.Kind() != reflect.Map {
		facts = append(facts, "`STENO_"+strings.ReplaceAll(variable(path), ".", "_")+"`")
	}
	if flag := r.flags[path]; flag != "" {
		facts = append(facts, "`"+flag+"`")
	}
	fmt.Fprintf(r, "\n**`%s`**: %s\n", path, strings.Join(facts, "; "))
}

// shownDefault is a value of steno.yml as it stands there.
func shownDefault(value *yaml.Node) string {
	switch value.Kind {
	case yaml.SequenceNode:
		var all []string
		for _, item := range value.Content {
			all = append(all, item.Value)
		}
		if len(all) == 0 {
			return "empty"
		}
		return "`" + strings.Join(all, ", ") + "`"
	case yaml.MappingNode:
		return "empty"
	}
	if value.Value == "" {
		return "empty"
	}
	return "`" + value.Value + "`"
}

// meaning writes a comment of steno.yml. Its indented lines are an example.
func (r *reference) meaning(comment string) {
	example := false
	for i, line := range strings.Split(comment, "\n") {
		text := strings.TrimPrefix(strings.TrimPrefix(line, "#"), " ")
		if text == "" {
			continue
		}
		indented := strings.HasPrefix(text, "  ")
		if i == 0 || indented != example {
			r.WriteByte('\n')
		}
		if indented && !example {
			r.WriteString("```yaml fragment\n")
		}
		if !indented && example {
			r.WriteString("```\n\n")
		}
		r.WriteString(strings.TrimPrefix(text, "  ") + "\n")
		example = indented
	}
	if example {
		r.WriteString("```\n")
	}
}
