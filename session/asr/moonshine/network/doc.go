// Package network runs the two networks of a Moonshine model, an encoder of audio and a decoder of
// tokens, on ONNX Runtime. What is decoded, and when, is decided above it.
//
// Layers, heads and widths are read from the model's files, so all sizes of Moonshine fit that were
// exported as encoder_model.ort and decoder_model_merged.ort.
//
// The weights are integers and activations are quantised with one scale for each pass. So what else
// is in a pass moves all of its logits a little, and equal results need equal sequences of passes.
package network

import "errors"

const (
	// Frame is how many samples one frame of the encoder stands for.
	Frame = 384
	// Begin is the token that every sequence begins with, End the one that ends it.
	Begin, End = 1, 2

	encoderFile = "encoder_model.ort"
	decoderFile = "decoder_model_merged.ort"
)

// ErrUnsupported means that this build is without the library.
var ErrUnsupported = errors.New("moonshine: this build is without ONNX Runtime: it takes Linux on amd64 or arm64, " +
	"and cgo")
