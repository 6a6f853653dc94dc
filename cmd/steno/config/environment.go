package config

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"steno/messages"
)

// variablePrefix begins the names of all variables of the configuration.
const variablePrefix = "STENO_"

// otherVariables are those that are no keys: of the configuration and, with the last two, of
// loadtest.
var otherVariables = []string{"CONFIG", "API_KEYS", "API_KEY", "URL"}

// orchestrated are the ends of variables that Kubernetes sets for a Service, whose name they begin
// with.
var orchestrated = regexp.MustCompile(`(^|_)(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_[A-Z]+)?)?)$`)

// fromEnvironment sets every field whose variable is there. Names are the keys' paths in capitals.
// A name that was meant for a key is refused: one within a section, such as STENO_LIMITS_, or with
// a slip of two letters at most. Any other is somebody else's.
func (c *Config) fromEnvironment(environ []string) error {
	known := map[string]bool{}
	for _, name := range otherVariables {
		known[name] = true
	}
	var sections []string
	if err := setFields(reflect.ValueOf(c).Elem(), "", environ, func(name string, section bool) {
		if section {
			sections = append(sections, name+"_")
		} else {
			known[name] = true
		}
	}); err != nil {
		return err
	}
	return errors.Join(c.unknownVariables(environ, known, sections)...)
}

// unknownVariables are the faults of variables that were meant for keys, in order of their names.
func (c *Config) unknownVariables(environ []string, known map[string]bool, sections []string) (faults []error) {
	named := map[string]bool{}
	keyVariables(reflect.ValueOf(c).Elem(), named)
	for _, e := range slices.Sorted(slices.Values(environ)) {
		full, _, _ := strings.Cut(e, "=")
		name, ours := strings.CutPrefix(full, variablePrefix)
		if !ours || known[name] || named[full] || orchestrated.MatchString(name) {
			continue
		}
		if near := messages.Nearest(known, name, 2); near != "" {
			faults = append(faults, fmt.Errorf("environment variable %s stands for no key: did you mean %s%s?", full,
				variablePrefix, near))
		} else if slices.ContainsFunc(sections, func(s string) bool { return strings.HasPrefix(name, s) }) {
			faults = append(faults, fmt.Errorf("environment variable %s stands for no key", full))
		}
	}
	return faults
}

// setFields sets every field whose variable exists, and calls tell for every field: with its name
// without the prefix, and whether it is a section.
func setFields(v reflect.Value, prefix string, environ []string, tell func(name string, section bool)) error {
	for i := range v.NumField() {
		key := v.Type().Field(i).Tag.Get("yaml")
		if key == "-" {
			continue
		}
		name := prefix + variable(key)
		field := v.Field(i)
		switch field.Kind() {
		case reflect.Map: // has no names of its own: the file's alone
			continue
		case reflect.Struct:
			tell(name, true)
			if err := setFields(field, name+"_", environ, tell); err != nil {
				return err
			}
			continue
		}
		tell(name, false)
		text, ok := Lookup(environ, variablePrefix+name)
		if !ok {
			continue
		}
		if err := setField(field, text); err != nil {
			_, fault, _ := strings.Cut(readable(err).Error(), "line 1: ")
			return fmt.Errorf("environment variable %s%s: %s", variablePrefix, name, cmp.Or(fault, err.Error()))
		}
	}
	return nil
}

// keyVariables adds the variables that a configuration names, as its fields key_env do.
func keyVariables(v reflect.Value, names map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			keyVariables(v.Elem(), names)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			keyVariables(v.MapIndex(key), names)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("yaml") == "key_env" {
				names[v.Field(i).String()] = true
			} else {
				keyVariables(v.Field(i), names)
			}
		}
	}
}
