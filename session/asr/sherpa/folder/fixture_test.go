package folder

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// fixture is a folder: models by file name, and other files with their text.
type fixture struct {
	name   string // of the folder
	models map[string]model
	texts  map[string]string
}

// model is what an .onnx file states about itself. Metadata are "key=value" separated by spaces,
// with _ for spaces.
type model struct {
	meta    string
	inputs  []onnx.Value
	outputs []onnx.Value
}

// shaped is an input or output of floats; -1 is a dimension unknown beforehand.
func shaped(name string, dims ...int) onnx.Value {
	v := onnx.Value{Name: name, Type: onnx.Float, Shape: []onnx.Dim{}}
	for _, n := range dims {
		v.Shape = append(v.Shape, onnx.Dim{Size: int64(n)})
	}
	return v
}

func (m model) metadata() map[string]string {
	data := map[string]string{}
	for _, word := range strings.Fields(m.meta) {
		key, value, _ := strings.Cut(word, "=")
		data[key] = value
	}
	return data
}

func (m model) write(t testing.TB, path string, metadata map[string]string) {
	t.Helper()
	g := onnxwriter.NewGraph("g")
	if len(m.inputs) == 0 {
		m.inputs = []onnx.Value{shaped("x", -1, -1, 80)}
	}
	for _, v := range m.inputs {
		g.Input(v.Name, v.Type, v.Shape...)
	}
	if len(m.outputs) == 0 {
		m.outputs = []onnx.Value{shaped("y", -1, -1, -1)}
	}
	for _, v := range m.outputs {
		g.Name(m.inputs[0].Name, v.Name)
		g.Output(v.Name, v.Type, v.Shape...)
	}
	if err := (onnxwriter.Model{Graph: g, Opset: 17, Producer: "test", Metadata: metadata}).WriteFile(path); err !=
		nil {
		t.Fatal(err)
	}
}

// write puts the folder below a new one and returns its path. Change, if there is one, may alter
// metadata.
func (f fixture) write(t testing.TB, change func(file string, metadata map[string]string)) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), f.name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, m := range f.models {
		metadata := m.metadata()
		if change != nil {
			change(name, metadata)
		}
		m.write(t, filepath.Join(dir, name), metadata)
	}
	for name, text := range f.texts {
		put(t, filepath.Join(dir, name), text)
	}
	return dir
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// tokens are symbols with their numbers, in order, preceded and followed by others up to n.
func tokens(n int, symbols ...string) string {
	var b strings.Builder
	for i := range n {
		symbol := fmt.Sprintf("▁t%d", i)
		if i < len(symbols) {
			symbol = symbols[i]
		}
		fmt.Fprintf(&b, "%s %d\n", symbol, i)
	}
	return b.String()
}

// texts merges files.
func texts(all ...map[string]string) map[string]string {
	merged := map[string]string{}
	for _, one := range all {
		maps.Copy(merged, one)
	}
	return merged
}

// plain is tokens.txt of n tokens with a blank.
func plain(n int) map[string]string { return map[string]string{"tokens.txt": tokens(n, "<blk>")} }

// nemo is tokens.txt of n tokens, the last of which is the blank.
func nemo(n int) map[string]string {
	return map[string]string{"tokens.txt": tokens(n-1) + fmt.Sprintf("<blk> %d\n", n-1)}
}
