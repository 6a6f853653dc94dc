package embedded

import (
	"testing"
	"testing/fstest"
)

// TestScriptsHaveNoWayBack reads migrations: one with a way back must not be executed as it is.
func TestScriptsHaveNoWayBack(t *testing.T) {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"00001_a.sql": "-- +goose Up\nCREATE TABLE a (n INTEGER);\n",
		"00002_b.sql": "-- +goose Up\nCREATE TABLE b (n INTEGER);\n-- +goose Down\nDROP TABLE b;\n",
		"00003_c.sql": "-- +goose NO TRANSACTION\n-- +goose Up\nVACUUM;\n",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	scripts, err := readScripts(files)
	if err != nil || len(scripts) != 1 || scripts["00001_a.sql"] == nil {
		t.Errorf("scripts %v; %v", scripts, err)
	}
}
