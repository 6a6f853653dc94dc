package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"steno/gateway/dialect/registry"
)

// Every dialect with paths but the gateway's own can be switched off, and is on without being asked
// for.
func TestDialectSwitches(t *testing.T) {
	c, err := Load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if off := c.Dialects.Off(); len(off) > 0 {
		t.Errorf("off: %v", off)
	}
	var names []string
	for _, d := range registry.All() {
		if d.Name != "gladia" && (d.HTTP != nil || len(d.Paths) > 0) {
			names = append(names, d.Name)
		}
	}
	var environ []string
	for _, key := range keys(reflect.TypeFor[Dialects](), "dialects.") {
		if !strings.HasSuffix(key, ".enabled") {
			continue
		}
		environ = append(environ, "STENO_"+variable(strings.ReplaceAll(key, ".", "_"))+"=false")
	}
	if c, err = Load("", environ); err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	off := c.Dialects.Off()
	slices.Sort(off)
	if names = slices.Compact(names); !slices.Equal(off, names) {
		t.Errorf("switches for %v, dialects %v", off, names)
	}
}

// A port is off without being asked for, and needs a key.
func TestDialectPort(t *testing.T) {
	c, err := Load("", nil)
	if err != nil || c.Dialects.Wyoming != (DialectPort{}) {
		t.Errorf("%+v, %v", c.Dialects.Wyoming, err)
	}
	for _, port := range []struct{ listen, key, fault string }{
		{"127.0.0.1:10300", "a-key-of-the-test-00", ""}, {"127.0.0.1:10300", "", "dialects.wyoming.key"},
		{"nowhere", "a-key-of-the-test-00", "dialects.wyoming.listen"},
	} {
		c, err := Load("", []string{
			"STENO_DIALECTS_WYOMING_LISTEN=" + port.listen, "STENO_DIALECTS_WYOMING_KEY=" + port.key,
		})
		if err != nil {
			t.Fatal(err)
		}
		err = c.Check()
		if (err == nil) != (port.fault == "") || err != nil && !strings.Contains(err.Error(), port.fault) {
			t.Errorf("%+v: %v", port, err)
		}
	}
}
