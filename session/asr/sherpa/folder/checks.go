package folder

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"steno/session/asr/sherpa/onnx"
)

// capability checks what the library assumes of models that do not recognize speech.
func (l *listing) capability(m *Model, model onnx.Info, name string) {
	switch m.Kind {
	case Punctuation:
		l.punctuation(model, name)
	case OnlinePunctuation:
		l.onlinePunctuation(m, model, name)
	case Segmentation:
		l.segmentation(model, name)
	case Embedding:
		l.embedding(model, name)
	case Denoiser:
		l.denoiser(model, name)
	}
}

// punctuation checks the vocabulary in the metadata of an offline punctuation model.
func (f *faults) punctuation(model onnx.Info, name string) {
	data := model.Metadata
	tokens := strings.Split(data["tokens"], "|")
	if want := number(data, "vocab_size"); len(tokens) != want {
		f.fault(name, fmt.Errorf("metadata: %d tokens, and vocab_size is %d", len(tokens), want))
	}
	if !slices.Contains(tokens, data["unk_symbol"]) {
		f.fault(name, errors.New("metadata: unk_symbol is none of the tokens"))
	}
	marks := strings.Split(data["punctuations"], "|")
	for _, mark := range []string{"。", "，", "？", "、", "_"} {
		if !slices.Contains(marks, mark) {
			f.fault(name, fmt.Errorf("metadata: punctuations lack %s", mark))
		}
	}
	if n := size(model.Outputs, 0, 2); n != len(marks) {
		f.fault(name, fmt.Errorf("%d punctuations, and the output has %d", len(marks), n))
	}
}

// onlinePunctuation checks what the library assumes of streaming punctuation models.
func (l *listing) onlinePunctuation(m *Model, model onnx.Info, name string) {
	for i, key := range []string{"COMMA", "PERIOD", "QUESTION", "UPPER", "CAP", "MIX_CASE"} {
		if got, want := number(model.Metadata, key), i%3+1; got != want {
			l.fault(name, fmt.Errorf("metadata: %s is %d, and only %d can be used", key, got, want))
		}
	}
	for i := range 2 {
		if size(model.Outputs, i, 1) == 0 {
			l.fault(name, fmt.Errorf("output %d does not say how many classes it has", i))
		}
	}
	m.Files.BPEVocab = l.bpe()
	if m.Files.BPEVocab == "" {
		l.fault("bpe.vocab", errors.New("no such file"))
	}
}

// embedding checks the keys that depend on the origin of an embedding model.
func (f *faults) embedding(model onnx.Info, name string) {
	data, normal := model.Metadata, ""
	switch data["framework"] {
	case "wespeaker", "3d-speaker":
		f.metadata(name, data, need{ints: "normalize_samples"})
		normal = "global-mean"
	case "nemo":
		f.metadata(name, data, need{ints: "feat_dim window_size_ms window_stride_ms"})
		normal = "per_feature"
	default:
		f.fault(name, fmt.Errorf("metadata: framework: %q is unknown", shorten(data["framework"])))
	}
	if got := data["feature_normalize_type"]; got != "" && got != normal {
		f.fault(name, fmt.Errorf("metadata: feature_normalize_type: %q is unknown", shorten(got)))
	}
	if got, want := size(model.Outputs, 0, 1), number(data, "output_dim"); got > 0 && got != want {
		f.fault(name, fmt.Errorf("the output has %d numbers, and output_dim is %d", got, want))
	}
}

// segmentation checks that the classes are those of all speakers alone and in pairs, and of
// silence.
func (f *faults) segmentation(model onnx.Info, name string) {
	data := model.Metadata
	n, most := number(data, "num_speakers"), number(data, "powerset_max_classes")
	if most < 1 || most > 2 {
		f.fault(name, fmt.Errorf("metadata: powerset_max_classes is %d, and only 1 and 2 can be used", most))
		return
	}
	want := 1 + n + (most-1)*n*(n-1)/2
	if got := number(data, "num_classes"); got != want {
		f.fault(name, fmt.Errorf("metadata: num_classes is %d, and %d speakers make %d", got, n, want))
	}
	if got := size(model.Outputs, 0, 2); got > 0 && got != want {
		f.fault(name, fmt.Errorf("the output has %d classes, and the metadata make %d", got, want))
	}
}

// windows are the window functions that the library knows.
const windows = " hann_sqrt vorbis hann hanning hamming povey rectangular sine blackman "

// denoiser checks that frames fit the Fourier transform, and that the metadata fit the graph.
func (f *faults) denoiser(model onnx.Info, name string) {
	data := model.Metadata
	bins, frame, hop := number(data, "n_fft")/2+1, number(data, "window_length"), number(data, "hop_length")
	if frame != number(data, "n_fft") || hop > frame {
		f.fault(name, fmt.Errorf("metadata: frames of window_length %d and hop_length %d do not fit n_fft %d",
			frame, hop,
			number(data, "n_fft")))
	}
	if !strings.Contains(windows, " "+data["window_type"]+" ") {
		f.fault(name, fmt.Errorf("metadata: window_type: %q is unknown", shorten(data["window_type"])))
	}
	axis, states := 1, 3
	if data["model_type"] == "dpdfnet" {
		axis, states = 2, 1
		f.dpdfnet(model, name)
	}
	if len(model.Inputs) != 1+states || len(model.Outputs) != 1+states {
		f.fault(name, fmt.Errorf("%d inputs and %d outputs, and %d of each must be there", len(model.Inputs),
			len(model.Outputs), 1+states))
	}
	if got := size(model.Inputs, 0, axis); got != bins {
		f.fault(name, fmt.Errorf("the input has %d frequencies, and n_fft makes %d", got, bins))
	}
}

// dpdfnet checks what only models of that type have.
func (f *faults) dpdfnet(model onnx.Info, name string) {
	data := model.Metadata
	if p := data["profile"]; p != "dpdfnet_16khz" && p != "dpdfnet2_48khz_hr" {
		f.fault(name, fmt.Errorf("metadata: profile: %q is unknown", shorten(p)))
	}
	beginning := 0
	for _, norm := range []string{"erb_norm", "spec_norm"} {
		got, want := strings.Count(data[norm+"_init"], ",")+1, number(data, norm+"_state_size")
		if got != want {
			f.fault(name, fmt.Errorf("metadata: %s_init has %d numbers, and %s_state_size is %d", norm, got, norm,
				want))
		}
		beginning += want
	}
	state := number(data, "state_size")
	if got := size(model.Inputs, 1, 0); got != state || beginning > state {
		f.fault(name, fmt.Errorf("metadata: state_size is %d, the input has %d, and %d are set at first", state, got,
			beginning))
	}
	if got, want := number(data, "freq_bins"), size(model.Inputs, 0, 2); got != want {
		f.fault(name, fmt.Errorf("metadata: freq_bins is %d, and the input has %d", got, want))
	}
}
