package fakemodels

import (
	"path/filepath"

	"steno/session/asr/sherpa/internal/onnxwriter"
	"steno/session/asr/sherpa/onnx"
)

// hiss is the power in each bin of the spectrum that the denoiser takes for noise: that
// of white noise of -50 dB.
const hiss = 512 * 0.5 * 1e-5

// WriteDenoiser writes a model of the kind gtcrn to dir, gtcrn.onnx: a Wiener filter
// against white noise of -50 dB relative to full scale. Its state passes through.
func WriteDenoiser(dir string) error {
	g := onnxwriter.NewGraph("denoiser")
	spectrum := []onnx.Dim{onnx.Size(1), onnx.Size(257), onnx.Size(1), onnx.Size(2)}
	x := g.Input("mix", onnx.Float, spectrum...)
	caches := []onnx.Value{
		{Name: "conv_cache", Type: onnx.Float, Shape: []onnx.Dim{onnx.Size(2), onnx.Size(1), onnx.Size(16),
			onnx.Size(16), onnx.Size(33)}},
		{Name: "tra_cache", Type: onnx.Float, Shape: []onnx.Dim{onnx.Size(2), onnx.Size(3), onnx.Size(1), onnx.Size(1),
			onnx.Size(16)}},
		{Name: "inter_cache", Type: onnx.Float, Shape: []onnx.Dim{onnx.Size(2), onnx.Size(1), onnx.Size(33),
			onnx.Size(16)}},
	}
	for _, c := range caches {
		g.Input(c.Name, c.Type, c.Shape...)
	}
	power := g.Node("ReduceSum", []string{g.Node("Mul", []string{x, x}), g.Vector(3)})
	speech := g.Node("Relu", []string{g.Node("Sub", []string{power, g.Floats([]float32{hiss})})})
	gain := g.Node("Div", []string{speech, g.Node("Add", []string{power, g.Floats([]float32{1e-9})})})
	g.Output(g.Name(g.Node("Mul", []string{x, gain}), "enh"), onnx.Float, spectrum...)
	for _, c := range caches {
		g.Output(g.Name(c.Name, c.Name+"_out"), c.Type, c.Shape...)
	}
	model := onnxwriter.Model{Graph: g, Opset: 17, Producer: maker, Metadata: map[string]string{
		"model_type": "gtcrn", "version": "1", "sample_rate": "16000", "n_fft": "512", "hop_length": "256",
		"window_length": "512", "window_type": "hann_sqrt", "conv_cache_shape": "2,1,16,16,33",
		"tra_cache_shape": "2,3,1,1,16", "inter_cache_shape": "2,1,33,16",
	}}
	return model.WriteFile(filepath.Join(dir, "gtcrn.onnx"))
}
