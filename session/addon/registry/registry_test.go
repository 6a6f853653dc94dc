package registry_test

import (
	"testing"

	"steno/session/addon"
	"steno/session/addon/registry"
)

// Add-ons that are declared can be: their names are fit and nobody else's.
func TestDeclarations(t *testing.T) {
	table := registry.New(registry.Services{}, addon.Runner{})
	seen := map[string]bool{}
	for _, name := range table.Names() {
		if seen[name] {
			t.Errorf("two add-ons are %s", name)
		}
		seen[name] = true
	}
	for _, d := range table.Declarations() {
		if err := d.Check(); err != nil {
			t.Error(err)
		}
	}
}
