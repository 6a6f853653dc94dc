package onnx

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// small is a model of one multiplication.
func small() Model {
	g := NewGraph("small")
	x := g.Input("x", Float, Any("N"), Size(2))
	y := g.Node("MatMul", []string{x, g.Floats([]float32{1, 2, 3, 4, 5, 6}, 2, 3)})
	g.Node("Reshape", []string{y, g.Vector(-1, 3)}, Int("allowzero", 0), Ints("axes", 1, -2), Real("alpha", 0.5), Text("mode", "linear"))
	g.Output(g.Name(y, "y"), Float, Any("N"), Size(3))
	return Model{Graph: g, Opset: 17, Producer: "steno", Metadata: map[string]string{"model_type": "small", "T": "39"}}
}

func encoded(t testing.TB, m Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func stored(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadSaysWhatWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := small().WriteFile(path); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	want := Info{
		IR: 8, Opset: 17, Producer: "steno", Nodes: 3, Parameters: 8,
		Inputs:   []Value{{"x", Float, []Dim{Any("N"), Size(2)}}},
		Outputs:  []Value{{"y", Float, []Dim{Any("N"), Size(3)}}},
		Metadata: map[string]string{"model_type": "small", "T": "39"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v, want\n%+v", got, want)
	}
}

// Models of old versions of the format list their weights among the inputs.
func TestReadLeavesStoredInputsOut(t *testing.T) {
	m := small()
	m.Graph.Input("stored_0", Float, Size(2), Size(3))
	info, err := Read(stored(t, encoded(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	if len(info.Inputs) != 1 || info.Inputs[0].Name != "x" {
		t.Errorf("inputs are %v, want x alone", info.Inputs)
	}
}

func TestReadTellsWhatIsWrong(t *testing.T) {
	model := encoded(t, small())
	noOutput := NewGraph("g")
	deep := []byte{}
	for range 3 * maxDepth {
		deep = chunk(nil, graphNode, chunk(nil, nodeAttribute, chunk(nil, attributeGraph, deep)))
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":      {nil, "empty"},
		"text":       {[]byte("hello, this is no model"), "not a protobuf"},
		"page":       {[]byte("<!DOCTYPE html><html>"), "HTML"},
		"pointer":    {[]byte("version https://git-lfs.github.com/spec/v1\noid sha256:1\n"), "Git LFS"},
		"zip":        {[]byte("PK\x03\x04archive"), "ZIP"},
		"half":       {model[:len(model)/2], "truncated"},
		"cut":        {model[:len(model)-1], "truncated"},
		"other":      {text(nil, 100, "a protobuf of something else"), "no ONNX model"},
		"no graph":   {varint(nil, modelIR, 8), "no graph"},
		"two graphs": {append(bytes.Clone(model), chunk(nil, modelGraph, nil)...), "more than one graph"},
		"no output":  {encoded(t, Model{Graph: noOutput, Opset: 17}), "no output"},
		"deep":       {chunk(varint(nil, modelIR, 8), modelGraph, deep), "nested deeper"},
		"endless":    {append([]byte{8}, bytes.Repeat([]byte{0xff}, 20)...), "no end"},
		"wire":       {varint(nil, modelGraph, 1), "where the message"},
		"dimension":  {chunk(nil, modelGraph, chunk(nil, graphInitializer, varint(nil, tensorDims, 1<<63))), "dimension of"},
		"overflow": {chunk(nil, modelGraph, chunk(nil, graphInitializer,
			varint(varint(nil, tensorDims, 1<<40), tensorDims, 1<<40))), "dimension of"},
		"text bomb": {chunk(nil, modelMetadata, text(nil, entryKey, strings.Repeat("a", maxText+1))), "bytes of text"},
	} {
		t.Run(name, func(t *testing.T) {
			path := stored(t, c.data)
			_, err := Read(path)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want the file and %q", err, c.want)
			}
		})
	}
}

func TestReadOfNoFile(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "none.onnx")} {
		if _, err := Read(path); err == nil || strings.Count(err.Error(), path) != 1 {
			t.Errorf("error %v, want one that names %s once", err, path)
		}
	}
}

// external is a model whose weights are said to be at location: of an initializer, and
// of a constant in a graph within a node.
func external(location string) []byte {
	entry := text(text(nil, entryKey, "location"), entryValue, location)
	weights := chunk(varint(nil, tensorDims, 5), tensorExternal, entry)
	inner := chunk(nil, graphNode, chunk(nil, nodeAttribute, chunk(nil, attributeTensor, weights)))
	graph := chunk(nil, graphInitializer, weights)
	graph = chunk(graph, graphNode, chunk(nil, nodeAttribute, chunk(nil, attributeGraph, inner)))
	graph = chunk(graph, graphOutput, encodeValue(Value{Name: "y"}))
	return chunk(varint(nil, modelIR, 8), modelGraph, graph)
}

func TestReadListsFilesOfWeights(t *testing.T) {
	path := stored(t, external("parts/model.onnx.data"))
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "parts/model.onnx.data") {
		t.Errorf("error %v, want one that names the missing file", err)
	}
	parts := filepath.Join(filepath.Dir(path), "parts")
	if err := os.Mkdir(parts, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(parts, "model.onnx.data"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := Read(path)
	if err != nil || !reflect.DeepEqual(info.External, []string{"parts/model.onnx.data"}) || info.Parameters != 5 {
		t.Errorf("read %+v, %v", info, err)
	}
}

func TestReadRefusesWeightsElsewhere(t *testing.T) {
	inner := chunk(nil, graphNode, chunk(nil, nodeAttribute, chunk(nil, attributeGraph,
		chunk(nil, graphInitializer, chunk(nil, tensorExternal, text(text(nil, entryKey, "location"), entryValue, "../x"))))))
	files := [][]byte{chunk(nil, modelGraph, inner), chunk(nil, modelFunction, chunk(nil, functionNode, inner[2:]))}
	for _, location := range []string{"../secret", "/etc/passwd", "a/../../b", "", `..\secret`} {
		files = append(files, external(location))
	}
	for _, data := range files {
		if _, err := Read(stored(t, data)); err == nil || !strings.Contains(err.Error(), "outside of the model's folder") {
			t.Errorf("error %v, want a refusal", err)
		}
	}
}

// Weights are passed over, not read: a file of terabytes, nearly all of it a hole, is
// read in no time.
func TestReadSkipsWeights(t *testing.T) {
	const size = 1 << 40
	graph := chunk(nil, graphOutput, encodeValue(Value{Name: "y"}))
	head := varint(nil, modelIR, 8)
	rest := protowire.AppendVarint(protowire.AppendTag(nil, tensorRaw, protowire.BytesType), size)
	tensor := protowire.AppendVarint(protowire.AppendTag(nil, graphInitializer, protowire.BytesType), uint64(len(rest)+size))
	head = protowire.AppendTag(head, modelGraph, protowire.BytesType)
	head = protowire.AppendVarint(head, uint64(len(graph)+len(tensor)+len(rest)+size))
	path := stored(t, append(append(append(head, graph...), tensor...), rest...))
	stat, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, stat.Size()+size); err != nil {
		t.Skip("this file system has no holes of this size: ", err)
	}
	if info, err := Read(path); err != nil || len(info.Outputs) != 1 {
		t.Errorf("read %+v, %v", info, err)
	}
}

func TestWriteIsRepeatable(t *testing.T) {
	if !bytes.Equal(encoded(t, small()), encoded(t, small())) {
		t.Error("the same model gave different bytes")
	}
}

func FuzzRead(f *testing.F) {
	model := encoded(f, small())
	for _, data := range [][]byte{nil, model, model[:len(model)/2], external("weights.data"), external("../x"), []byte("<html>"), {8}, {0x3a, 0xff, 0xff, 0xff, 0x7f}} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		info, err := read(bytes.NewReader(data), int64(len(data)))
		if err == nil && len(info.Outputs) == 0 {
			t.Error("a model without outputs was accepted")
		}
		for _, location := range info.External {
			if !filepath.IsLocal(location) {
				t.Errorf("weights at %q were accepted", location)
			}
		}
	})
}
