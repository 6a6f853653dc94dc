package dialecttest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"steno/gateway/dialect"
)

// Client is what the clients of a service can ask for at one place, by the types of their requests.
type Client struct {
	Where   string // the place, as the list has it
	Ignored []dialect.Ignored
	// Options are the names of all options, each with a value that asks for something.
	Options map[string]string
	Refused []string // the options that are refused
	// Parse reads a request with an option, and returns what is made of it. The request without
	// one has an empty name.
	Parse func(name, value string) (any, error)
}

// Check sees that each option is refused, changes what is made of the request, or is listed as
// without effect.
func (c Client) Check(t *testing.T) {
	t.Helper()
	without, err := c.Parse("", "")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range c.Options {
		with, err := c.Parse(name, value)
		if refused := slices.Contains(c.Refused, name); refused != (err != nil) {
			t.Errorf("%s: %s=%s: %v, to be refused: %v", c.Where, name, value, err, refused)
		}
		if err == nil && reflect.DeepEqual(with, without) && !c.lists(name) {
			t.Errorf("%s: %s=%s has no effect, and is not listed", c.Where, name, value)
		}
	}
}

// lists reports whether an option is listed.
func (c Client) lists(name string) bool {
	return slices.ContainsFunc(c.Ignored, func(i dialect.Ignored) bool {
		return slices.Contains(strings.Split(i.Where, ", "), c.Where) &&
			slices.ContainsFunc(strings.Split(i.Option, ", "),
				func(o string) bool { return o == name || strings.HasSuffix(o, "."+name) })
	})
}
