package folder

import (
	"slices"
	"strings"
	"testing"
)

// TestUnknownKinds has models whose metadata are of no kind that can be loaded.
func TestUnknownKinds(t *testing.T) {
	for meta, says := range map[string]string{
		"model_type=vits":                    `its model_type "vits" is of no kind that is known here`,
		"":                                   "no model_type",
		"model_type=wenet_ctc left_chunks=4": `its model_type "wenet_ctc" is of no kind`,
	} {
		f := fixture{"model-en", map[string]model{"model.onnx": {meta: meta}}, plain(5)}
		if _, err := Read(f.write(t, nil)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want it to say %q", meta, err, says)
		}
	}
	pyannote := capabilityExamples()[2].models["model.onnx"]
	two := fixture{"two-en", map[string]model{"a.onnx": {meta: "model_type=vits"}, "b.onnx": pyannote}, nil}
	if _, err := Read(two.write(t, nil)); err == nil || !strings.Contains(err.Error(),
		"two different models, a.onnx and b.onnx") {
		t.Errorf("two models that do not belong together: %v", err)
	}
}

// TestInconsistentMetadata has models whose metadata are there, but do not fit together or the
// graph.
func TestInconsistentMetadata(t *testing.T) {
	all := examples()
	example := func(name string) example {
		return all[slices.IndexFunc(all, func(c example) bool { return c.name == name })]
	}
	for _, c := range []struct{ folder, key, value, says string }{
		{"sherpa-onnx-streaming-zipformer-en-2023-06-26", "num_heads", "4",
			"num_heads has 1 numbers, and encoder_dims has 2"},
		{"sherpa-onnx-streaming-zipformer-en-2023-06-26", "decode_chunk_len", "0", "decode_chunk_len is 0"},
		{"sherpa-onnx-streaming-zipformer-en-2023-06-26", "vocab_size", "99999999", "vocab_size"},
		{"sherpa-onnx-whisper-tiny", "all_language_codes", "en,zh", "2 all_language_codes and 3 all_language_tokens"},
		{"sherpa-onnx-whisper-tiny", "all_language_tokens", "1,2,99999", "all_language_tokens"},
		{"sherpa-onnx-whisper-tiny", "sot_sequence", "1", "sot_sequence"},
		{"sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8", "vocab_size", "3", "5 tokens, and the model has 4"},
		{"sherpa-onnx-nemo-canary-180m-flash-en-es-de-fr-int8", "vocab_size", "21", "20 tokens, and the model has 21"},
		{"sherpa-onnx-fire-red-asr2-ctc-zh_en-int8-2026-02-25", "cmvn_mean", "1",
			"cmvn_inv_stddev has 2 numbers, and cmvn_mean has 1"},
		{"sherpa-onnx-punct-ct-transformer-zh-en-vocab272727-2024-04-12", "vocab_size", "4",
			"3 tokens, and vocab_size is 4"},
		{"sherpa-onnx-punct-ct-transformer-zh-en-vocab272727-2024-04-12", "unk_symbol", "x", "unk_symbol"},
		{"sherpa-onnx-punct-ct-transformer-zh-en-vocab272727-2024-04-12", "punctuations", "，|。|？|、", "lack _"},
		{"sherpa-onnx-online-punct-en-2024-08-06", "PERIOD", "1", "PERIOD is 1"},
		{"sherpa-onnx-pyannote-segmentation-3-0", "num_classes", "8", "num_classes is 8, and 3 speakers make 7"},
		{"sherpa-onnx-pyannote-segmentation-3-0", "powerset_max_classes", "3", "powerset_max_classes is 3"},
		{"sherpa-onnx-pyannote-segmentation-3-0", "num_speakers", "4", "output has 7"},
		{"voices", "output_dim", "256", "the output has 512 numbers, and output_dim is 256"},
		{"voices", "framework", "mine", `framework: "mine"`},
		{"voices", "normalize_samples", "", "normalize_samples is missing"},
		{"voices", "feature_normalize_type", "per_feature", "feature_normalize_type"},
		{"gtcrn", "n_fft", "1024", "n_fft"},
		{"gtcrn", "hop_length", "513", "hop_length"},
		{"gtcrn", "window_type", "square", `window_type: "square"`},
		{"dpdfnet", "profile", "mine", `profile: "mine"`},
		{"dpdfnet", "erb_norm_init", "1", "erb_norm_init has 1 numbers"},
		{"dpdfnet", "state_size", "11", "state_size is 11, the input has 10"},
		{"dpdfnet", "freq_bins", "160", "freq_bins is 160"},
	} {
		t.Run(c.folder+" "+c.key, func(t *testing.T) {
			dir := example(c.folder).write(t, func(_ string, metadata map[string]string) {
				if metadata[c.key] != "" {
					metadata[c.key] = c.value
				}
			})
			if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want it to say %q", err, c.says)
			}
		})
	}
}
