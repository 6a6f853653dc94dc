package onnx_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"steno/session/asr/sherpa/internal/onnxfield"
	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// small is a model of one multiplication.
func small() onnxwriter.Model {
	g := onnxwriter.NewGraph("small")
	x := g.Input("x", onnx.Float, onnx.Any("N"), onnx.Size(2))
	y := g.Node("MatMul", []string{x, g.Floats([]float32{1, 2, 3, 4, 5, 6}, 2, 3)})
	g.Node("Reshape", []string{y, g.Vector(-1, 3)}, onnxwriter.Int("allowzero", 0), onnxwriter.Ints("axes", 1, -2),
		onnxwriter.Real("alpha", 0.5), onnxwriter.Text("mode", "linear"))
	g.Output(g.Name(y, "y"), onnx.Float, onnx.Any("N"), onnx.Size(3))
	return onnxwriter.Model{Graph: g, Opset: 17, Producer: "steno", Metadata: map[string]string{"model_type": "small",
		"T": "39"}}
}

func encoded(t testing.TB, m onnxwriter.Model) []byte {
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
	got, err := onnx.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	want := onnx.Info{
		IR: 8, Opset: 17, Producer: "steno", Nodes: 3, Parameters: 8,
		Inputs:   []onnx.Value{{"x", onnx.Float, []onnx.Dim{onnx.Any("N"), onnx.Size(2)}}},
		Outputs:  []onnx.Value{{"y", onnx.Float, []onnx.Dim{onnx.Any("N"), onnx.Size(3)}}},
		Metadata: map[string]string{"model_type": "small", "T": "39"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v, want\n%+v", got, want)
	}
}

// Models of old versions of the format list their weights among the inputs.
func TestReadLeavesStoredInputsOut(t *testing.T) {
	m := small()
	m.Graph.Input("stored_0", onnx.Float, onnx.Size(2), onnx.Size(3))
	info, err := onnx.Read(stored(t, encoded(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	if len(info.Inputs) != 1 || info.Inputs[0].Name != "x" {
		t.Errorf("inputs are %v, want x alone", info.Inputs)
	}
}

func TestReadTellsWhatIsWrong(t *testing.T) {
	model := encoded(t, small())
	noOutput := onnxwriter.NewGraph("g")
	deep := []byte{}
	for range 3 * onnx.MaxDepth {
		deep = chunk(nil, onnxfield.GraphNode, chunk(nil, onnxfield.NodeAttribute, chunk(nil, onnxfield.AttributeGraph,
			deep)))
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
		"no graph":   {varint(nil, onnxfield.ModelIR, 8), "no graph"},
		"two graphs": {append(bytes.Clone(model), chunk(nil, onnxfield.ModelGraph, nil)...), "more than one graph"},
		"no output":  {encoded(t, onnxwriter.Model{Graph: noOutput, Opset: 17}), "no output"},
		"deep":       {chunk(varint(nil, onnxfield.ModelIR, 8), onnxfield.ModelGraph, deep), "nested deeper"},
		"endless":    {append([]byte{8}, bytes.Repeat([]byte{0xff}, 20)...), "no end"},
		"wire":       {varint(nil, onnxfield.ModelGraph, 1), "where the message"},
		"dimension": {chunk(nil, onnxfield.ModelGraph, chunk(nil, onnxfield.GraphInitializer,
			varint(nil, onnxfield.TensorDims, 1<<63))), "dimension of"},
		"overflow": {chunk(nil, onnxfield.ModelGraph, chunk(nil, onnxfield.GraphInitializer,
			varint(varint(nil, onnxfield.TensorDims, 1<<40), onnxfield.TensorDims, 1<<40))), "dimension of"},
		"text bomb": {chunk(nil, onnxfield.ModelMetadata, text(nil, onnxfield.EntryKey,
			strings.Repeat("a", onnx.MaxText+1))), "bytes of text"},
	} {
		t.Run(name, func(t *testing.T) {
			path := stored(t, c.data)
			_, err := onnx.Read(path)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want the file and %q", err, c.want)
			}
		})
	}
}

func TestReadOfNoFile(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "none.onnx")} {
		if _, err := onnx.Read(path); err == nil || strings.Count(err.Error(), path) != 1 {
			t.Errorf("error %v, want one that names %s once", err, path)
		}
	}
}

// external is a model whose weights are said to be at location: of an initializer, and
// of a constant in a graph within a node.
func external(location string) []byte {
	entry := text(text(nil, onnxfield.EntryKey, "location"), onnxfield.EntryValue, location)
	weights := chunk(varint(nil, onnxfield.TensorDims, 5), onnxfield.TensorExternal, entry)
	inner := chunk(nil, onnxfield.GraphNode, chunk(nil, onnxfield.NodeAttribute, chunk(nil, onnxfield.AttributeTensor,
		weights)))
	graph := chunk(nil, onnxfield.GraphInitializer, weights)
	graph = chunk(graph, onnxfield.GraphNode, chunk(nil, onnxfield.NodeAttribute, chunk(nil, onnxfield.AttributeGraph,
		inner)))
	graph = chunk(graph, onnxfield.GraphOutput, onnxwriter.EncodeValue(onnx.Value{Name: "y"}))
	return chunk(varint(nil, onnxfield.ModelIR, 8), onnxfield.ModelGraph, graph)
}

func TestReadListsFilesOfWeights(t *testing.T) {
	path := stored(t, external("parts/model.onnx.data"))
	if _, err := onnx.Read(path); err == nil || !strings.Contains(err.Error(), "parts/model.onnx.data") {
		t.Errorf("error %v, want one that names the missing file", err)
	}
	parts := filepath.Join(filepath.Dir(path), "parts")
	if err := os.Mkdir(parts, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(parts, "model.onnx.data"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := onnx.Read(path)
	if err != nil || !reflect.DeepEqual(info.External, []string{"parts/model.onnx.data"}) || info.Parameters != 5 {
		t.Errorf("read %+v, %v", info, err)
	}
}

func TestReadRefusesWeightsElsewhere(t *testing.T) {
	inner := chunk(nil, onnxfield.GraphNode, chunk(nil, onnxfield.NodeAttribute, chunk(nil, onnxfield.AttributeGraph,
		chunk(nil, onnxfield.GraphInitializer, chunk(nil, onnxfield.TensorExternal,
			text(text(nil, onnxfield.EntryKey, "location"), onnxfield.EntryValue, "../x"))))))
	files := [][]byte{chunk(nil, onnxfield.ModelGraph, inner), chunk(nil, onnxfield.ModelFunction,
		chunk(nil, onnxfield.FunctionNode, inner[2:]))}
	for _, location := range []string{"../secret", "/etc/passwd", "a/../../b", "", `..\secret`} {
		files = append(files, external(location))
	}
	for _, data := range files {
		if _, err := onnx.Read(stored(t, data)); err == nil || !strings.Contains(err.Error(),
			"outside of the model's folder") {
			t.Errorf("error %v, want a refusal", err)
		}
	}
}

// Weights are passed over, not read: a file of terabytes, nearly all of it a hole, is
// read in no time.
func TestReadSkipsWeights(t *testing.T) {
	const size = 1 << 40
	graph := chunk(nil, onnxfield.GraphOutput, onnxwriter.EncodeValue(onnx.Value{Name: "y"}))
	head := varint(nil, onnxfield.ModelIR, 8)
	rest := protowire.AppendVarint(protowire.AppendTag(nil, onnxfield.TensorRaw, protowire.BytesType), size)
	tensor := protowire.AppendVarint(protowire.AppendTag(nil, onnxfield.GraphInitializer, protowire.BytesType),
		uint64(len(rest)+size))
	head = protowire.AppendTag(head, onnxfield.ModelGraph, protowire.BytesType)
	head = protowire.AppendVarint(head, uint64(len(graph)+len(tensor)+len(rest)+size))
	path := stored(t, append(append(append(head, graph...), tensor...), rest...))
	stat, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, stat.Size()+size); err != nil {
		t.Skip("this file system has no holes of this size: ", err)
	}
	if info, err := onnx.Read(path); err != nil || len(info.Outputs) != 1 {
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
	for _, data := range [][]byte{nil, model, model[:len(model)/2], external("weights.data"), external("../x"),
		[]byte("<html>"), {8}, {0x3a, 0xff, 0xff, 0xff, 0x7f}} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		info, err := onnx.ReadFrom(bytes.NewReader(data), int64(len(data)))
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

// varint, text and chunk append a field of one of protobuf's kinds.
func varint(b []byte, n protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), v)
}

func text(b []byte, n protowire.Number, v string) []byte { return chunk(b, n, []byte(v)) }

func chunk(b []byte, n protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, n, protowire.BytesType), v)
}
