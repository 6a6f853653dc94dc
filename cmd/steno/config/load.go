package config

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"steno/session/asr/models"
)

// Load puts the defaults, the file and the environment on top of each other. With an empty
// path the file is the one that STENO_CONFIG names, if it does.
func Load(path string, environ []string) (Config, error) {
	var c Config
	if err := decodeStrict(Defaults, &c); err != nil {
		return c, fmt.Errorf("built-in steno.yml: %w", err)
	}
	if path == "" {
		path, _ = Lookup(environ, "STENO_CONFIG")
	}
	if path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return c, fmt.Errorf("read configuration: %w", err)
		}
		if err := decodeStrict(text, &c); err != nil {
			return c, fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := c.fromEnvironment(environ); err != nil {
		return c, err
	}
	if c.Engines.Store == "" {
		c.Engines.Store = models.StoreFolder(environ)
	}
	return c, nil
}

// decodeStrict refuses unknown keys, and anything after the end of the document.
func decodeStrict(text []byte, c *Config) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	err := d.Decode(c)
	if err == nil {
		if err = d.Decode(new(any)); err == nil {
			return errors.New("there is more than one document, the first ends at a line of three hyphens")
		}
	}
	if !errors.Is(err, io.EOF) {
		return readable(err)
	}
	return nil
}

// Field returns the field that a key's path names, such as limits.idle, so that it can be set.
func (c *Config) Field(path string) reflect.Value { return fieldAt(reflect.ValueOf(c).Elem(), path) }

// fieldAt is Field for a section.
func fieldAt(v reflect.Value, path string) reflect.Value {
	first, rest, deeper := strings.Cut(path, ".")
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("yaml") != first {
			continue
		}
		if deeper {
			return fieldAt(v.Field(i), rest)
		}
		return v.Field(i)
	}
	panic("configuration: there is no key " + path)
}

// variable is a key as it stands in the name of an environment variable.
func variable(key string) string { return strings.ToUpper(strings.ReplaceAll(key, "-", "_")) }

// setField reads a value as the configuration file would; lists may be comma-separated.
func setField(field reflect.Value, text string) error {
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
		return nil
	case reflect.Slice:
		field.Set(reflect.ValueOf(splitList(text)))
		return nil
	default:
		return yaml.Unmarshal([]byte(text), field.Addr().Interface())
	}
}

// splitList takes "a, b" apart; empty parts are left out.
func splitList(text string) []string {
	list := []string{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// Lookup finds a variable in "NAME=value" strings; the last one wins.
func Lookup(environ []string, name string) (value string, ok bool) {
	for _, e := range environ {
		if v, found := strings.CutPrefix(e, name+"="); found {
			value, ok = v, true
		}
	}
	return value, ok
}
