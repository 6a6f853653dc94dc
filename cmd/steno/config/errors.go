package config

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Errors of the configuration's decoder about keys and values, which name types of the program.
var (
	unknownKey = regexp.MustCompile(`field (.+) not found in type \S+$`)
	wrongValue = regexp.MustCompile("(?s)cannot unmarshal !!(\\S+) (?:`(.*)` )?into (\\S+)$")
)

// readable returns an error of the decoder in words for those who wrote the file. Another error
// stays as it is.
func readable(err error) error {
	var e *yaml.TypeError
	if !errors.As(err, &e) {
		return err
	}
	faults := make([]string, len(e.Errors))
	for i, fault := range e.Errors {
		fault = unknownKey.ReplaceAllString(fault, "there is no key $1 here")
		if m := wrongValue.FindStringSubmatch(fault); m != nil {
			fault = strings.TrimSuffix(fault, m[0]) + fmt.Sprintf("%s must be %s", valueOf(m[1], m[2]), wanted(m[3]))
		}
		faults[i] = fault
	}
	return errors.New(strings.Join(faults, "; "))
}

// valueOf is a value of the file as it is quoted. Tables and lists are not.
func valueOf(tag, text string) string {
	switch tag {
	case "map":
		return "a table"
	case "seq":
		return "a list"
	}
	return fmt.Sprintf("%q", text)
}

// wanted is what a type of the configuration is called there.
func wanted(kind string) string {
	switch {
	case kind == "time.Duration":
		return "a duration such as 500ms, 30s or 3h"
	case kind == "bool":
		return "true or false"
	case kind == "string":
		return "text"
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"):
		return "a whole number"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	case strings.HasPrefix(kind, "[]"):
		return "a list"
	}
	return "a table of keys"
}
