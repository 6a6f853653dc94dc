package folder

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"steno/session/asr/sherpa/onnx"
)

const (
	zipformer2Meta = " encoder_dims=192,256 query_head_dims=32,32 value_head_dims=12,12 num_heads=4,4" +
		" num_encoder_layers=2,2 cnn_module_kernels=31,31 left_context_len=64,32"
	cacheMeta = " cache_last_channel_dim1=17 cache_last_channel_dim2=70 cache_last_channel_dim3=512" +
		" cache_last_time_dim1=17 cache_last_time_dim2=512 cache_last_time_dim3=8"
	whisperMeta = " n_mels=80 n_text_layer=4 n_text_ctx=448 n_text_state=384 n_vocab=51865 sot=50258 eot=50257 blank_id=220" +
		" translate=50358 transcribe=50359 no_timestamps=50363 no_speech=50362 sot_sequence=50258,50259,50359"
	statelessDecoder = "vocab_size=5 context_size=2"
)

// recognized is what a folder should be recognized as.
type recognized struct {
	kind      Kind
	typ       string
	languages string
	files     string // role=name, as the fields of Files are called
	can       Abilities
	rate      int
	dimension int
	unit      string
	longest   int // seconds
}

// example is a folder as it is published, with what it is.
type example struct {
	fixture
	want recognized
}

// recognizers are folders of speech recognition, of some kinds; others are in moreRecognizers.
func recognizers() []example {
	timed := Abilities{Timestamps: true}
	live := Abilities{Stream: true, Timestamps: true}
	whisper := Abilities{Detect: true, TakeLanguage: true, Identify: true}
	states := func(first onnx.Value) []onnx.Value {
		return []onnx.Value{first, shaped("a", -1), shaped("b", -1), shaped("c", -1)}
	}
	x, nemoX := states(shaped("x", -1, 45, 80)), states(shaped("audio_signal", -1, 80, -1))
	parakeet := map[string]model{
		"encoder.int8.onnx": {meta: "model_type=EncDecRNNTBPEModel vocab_size=4 subsampling_factor=8 normalize_type=per_feature" +
			" pred_rnn_layers=2 pred_hidden=640 feat_dim=128 url=https://huggingface.co/nvidia/parakeet-tdt-0.6b-v3"},
		"decoder.int8.onnx": {}, "joiner.int8.onnx": {},
	}
	return []example{
		{
			fixture{
				"sherpa-onnx-streaming-zipformer-en-2023-06-26", map[string]model{
					"encoder-epoch-99-avg-1-chunk-16-left-128.onnx": {
						meta: "model_type=zipformer2 T=45 decode_chunk_len=32" + zipformer2Meta, inputs: x,
					},
					"decoder-epoch-99-avg-1-chunk-16-left-128.onnx": {meta: statelessDecoder},
					"joiner-epoch-99-avg-1-chunk-16-left-128.onnx":  {meta: "joiner_dim=512"},
				}, texts(plain(7), map[string]string{"bpe.vocab": "<blk>\t0\n▁the\t-3.5\n", "README.md": "hello"}),
			},
			recognized{
				kind: OnlineTransducer, typ: "zipformer2", languages: "en", unit: "bpe",
				can: Abilities{Stream: true, Timestamps: true, Hotwords: true},
				files: "Encoder=encoder-epoch-99-avg-1-chunk-16-left-128.onnx Decoder=decoder-epoch-99-avg-1-chunk-16-left-128.onnx" +
					" Joiner=joiner-epoch-99-avg-1-chunk-16-left-128.onnx Tokens=tokens.txt BPEVocab=bpe.vocab",
			},
		},
		{
			fixture{
				"sherpa-onnx-streaming-zipformer-bilingual-zh-en-2023-02-20", map[string]model{
					"encoder-epoch-99-avg-1.onnx": {meta: "model_type=zipformer"},
					"encoder-epoch-99-avg-1.int8.onnx": {meta: "model_type=zipformer T=39 decode_chunk_len=32 encoder_dims=384,384" +
						" attention_dims=192,192 num_encoder_layers=2,4 cnn_module_kernels=31,31 left_context_len=64,32", inputs: x},
					"decoder-epoch-99-avg-1.onnx":     {meta: statelessDecoder},
					"joiner-epoch-99-avg-1.int8.onnx": {}, "joiner-epoch-99-avg-1.onnx": {},
				}, map[string]string{"tokens.txt": tokens(5, "<blk>", "你", "好", "吗", "▁A")},
			},
			recognized{
				kind: OnlineTransducer, typ: "zipformer", languages: "zh en", unit: "cjkchar",
				can: Abilities{Stream: true, Timestamps: true, Hotwords: true},
				files: "Encoder=encoder-epoch-99-avg-1.int8.onnx Decoder=decoder-epoch-99-avg-1.onnx" +
					" Joiner=joiner-epoch-99-avg-1.int8.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-streaming-conformer-en-2023-05-09", map[string]model{
					"encoder-epoch-99-avg-1.onnx": {meta: "model_type=conformer T=71 decode_chunk_len=64 num_encoder_layers=12" +
						" left_context=64 encoder_dim=512 pad_length=3 cnn_module_kernel=31", inputs: x},
					"decoder-epoch-99-avg-1.onnx": {meta: statelessDecoder}, "joiner-epoch-99-avg-1.onnx": {},
				}, plain(5),
			},
			recognized{
				kind: OnlineTransducer, typ: "conformer", languages: "en", can: live,
				files: "Encoder=encoder-epoch-99-avg-1.onnx Decoder=decoder-epoch-99-avg-1.onnx Joiner=joiner-epoch-99-avg-1.onnx" +
					" Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-lstm-zh-2023-02-20", map[string]model{
					"encoder.onnx": {meta: "model_type=lstm T=9 decode_chunk_len=4 num_encoder_layers=12 rnn_hidden_size=1024 d_model=512", inputs: x},
					"decoder.onnx": {meta: statelessDecoder}, "joiner.onnx": {},
				}, map[string]string{"tokens.txt": tokens(5, "<blk>", "你", "好", "吗", "我")},
			},
			recognized{
				kind: OnlineTransducer, typ: "lstm", languages: "zh", unit: "cjkchar",
				can:   Abilities{Stream: true, Timestamps: true, Hotwords: true},
				files: "Encoder=encoder.onnx Decoder=decoder.onnx Joiner=joiner.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-nemo-streaming-fast-conformer-transducer-en-80ms", map[string]model{
					"encoder.onnx": {
						meta: "model_type=EncDecHybridRNNTCTCBPEModel vocab_size=4 window_size=41 chunk_shift=8 subsampling_factor=8" +
							" pred_rnn_layers=1 pred_hidden=640" + cacheMeta, inputs: nemoX,
					},
					"decoder.onnx": {outputs: []onnx.Value{shaped("a", -1, -1), shaped("b", -1, -1)}},
					"joiner.onnx":  {},
				}, nemo(5),
			},
			recognized{
				kind: OnlineTransducer, languages: "en", can: live,
				files: "Encoder=encoder.onnx Decoder=decoder.onnx Joiner=joiner.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-streaming-paraformer-bilingual-zh-en", map[string]model{
					"encoder.int8.onnx": {meta: "model_type=paraformer vocab_size=4 lfr_window_size=7 lfr_window_shift=6 encoder_output_size=512" +
						" decoder_num_blocks=16 decoder_kernel_size=11 neg_mean=-8.3,-8.6 inv_stddev=0.15,0.15"},
					"decoder.int8.onnx": {}, "encoder.onnx": {}, "decoder.onnx": {},
				}, map[string]string{"tokens.txt": tokens(4, "<blank>", "<s>", "</s>", "a")},
			},
			recognized{
				kind: OnlineParaformer, languages: "zh en", can: Abilities{Stream: true},
				files: "Encoder=encoder.int8.onnx Decoder=decoder.int8.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-streaming-zipformer-ctc-multi-zh-hans-2023-12-13", map[string]model{
					"ctc-epoch-20-avg-1-chunk-16-left-128.onnx": {meta: "model_type=zipformer2"},
					"ctc-epoch-20-avg-1-chunk-16-left-128.int8.onnx": {
						meta: "model_type=zipformer2 T=45 decode_chunk_len=32" + zipformer2Meta, inputs: x,
						outputs: []onnx.Value{shaped("log_probs", -1, -1, 5)},
					},
				}, plain(5),
			},
			recognized{
				kind: OnlineZipformer2CTC, languages: "zh", can: live,
				files: "Model=ctc-epoch-20-avg-1-chunk-16-left-128.int8.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-nemo-streaming-fast-conformer-ctc-en-80ms", map[string]model{
					"model.onnx": {
						meta: "model_type=EncDecHybridRNNTCTCBPEModel vocab_size=4 window_size=41 chunk_shift=8" +
							" subsampling_factor=8" + cacheMeta, inputs: nemoX,
					},
				}, nemo(5),
			},
			recognized{kind: OnlineNeMoCTC, languages: "en", can: live, files: "Model=model.onnx Tokens=tokens.txt"},
		},
		{
			fixture{
				"sherpa-onnx-streaming-t-one-russian-2025-09-08", map[string]model{"model.onnx": {
					meta:    "model_type=t-one language=Russian sample_rate=8000 frame_length_ms=300 state_dim=219729",
					outputs: []onnx.Value{shaped("logprobs", -1, -1, 35)},
				}}, plain(35),
			},
			recognized{
				kind: OnlineToneCTC, languages: "ru", can: live, rate: 8000,
				files: "Model=model.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-zipformer-en-2023-06-26", map[string]model{
					"encoder-epoch-99-avg-1.onnx": {meta: "model_type=zipformer2 version=1 comment=non-streaming"},
					"decoder-epoch-99-avg-1.onnx": {meta: statelessDecoder}, "joiner-epoch-99-avg-1.onnx": {},
				}, plain(5),
			},
			recognized{
				kind: OfflineTransducer, typ: "transducer", languages: "en", can: timed,
				files: "Encoder=encoder-epoch-99-avg-1.onnx Decoder=decoder-epoch-99-avg-1.onnx Joiner=joiner-epoch-99-avg-1.onnx" +
					" Tokens=tokens.txt",
			},
		},
		{
			fixture{"sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8", parakeet, nemo(5)},
			recognized{
				kind: OfflineNeMoTransducer, typ: "nemo_transducer", can: timed, dimension: 128,
				languages: "bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk",
				files:     "Encoder=encoder.int8.onnx Decoder=decoder.int8.onnx Joiner=joiner.int8.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-whisper-tiny", map[string]model{
					"tiny-encoder.onnx": {meta: "model_type=whisper-tiny is_multilingual=1 all_language_tokens=50259,50260,50358" +
						" all_language_codes=en,zh,yue" + whisperMeta},
					"tiny-decoder.onnx": {},
				}, map[string]string{"tiny-tokens.txt": tokens(20)},
			},
			recognized{
				kind: OfflineWhisper, languages: "en zh", can: whisper, longest: 29,
				files: "Encoder=tiny-encoder.onnx Decoder=tiny-decoder.onnx Tokens=tiny-tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-whisper-tiny.en", map[string]model{
					"tiny.en-encoder.int8.onnx": {meta: "model_type=whisper-tiny.en is_multilingual=0" + whisperMeta},
					"tiny.en-decoder.int8.onnx": {outputs: []onnx.Value{shaped("a", -1), shaped("b", -1),
						shaped("c", -1), shaped("d", -1)}},
					"tiny.en-encoder.onnx": {}, "tiny.en-decoder.onnx": {},
				}, map[string]string{"tiny.en-tokens.txt": tokens(20)},
			},
			recognized{
				kind: OfflineWhisper, languages: "en", can: timed, longest: 29,
				files: "Encoder=tiny.en-encoder.int8.onnx Decoder=tiny.en-decoder.int8.onnx Tokens=tiny.en-tokens.txt",
			},
		},
	}
}

func examples() []example {
	return slices.Concat(recognizers(), moreRecognizers(), capabilityExamples())
}

func TestPublishedFolders(t *testing.T) {
	for _, c := range examples() {
		t.Run(c.name, func(t *testing.T) {
			dir := c.write(t, nil)
			got, err := Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, dir, got, c.want)
		})
	}
}

func compare(t *testing.T, dir string, got Model, want recognized) {
	t.Helper()
	if want.rate == 0 {
		want.rate = 16000
	}
	if want.dimension == 0 {
		want.dimension = 80
	}
	has := recognized{
		got.Kind, got.Type, strings.Join(got.Languages, " "), want.files, got.Can, got.Rate, got.Dimension, got.Unit,
		got.Longest / 16000,
	}
	if has != want {
		t.Errorf("got %+v\nwant %+v", has, want)
	}
	if files := written(dir, got.Files); files != sorted(want.files) {
		t.Errorf("got the files %s\nwant %s", files, sorted(want.files))
	}
	if got.Name != filepath.Base(dir) || got.Dir != dir {
		t.Errorf("it is named %s in %s", got.Name, got.Dir)
	}
}

// written lists files by the names of their fields, relative to the folder.
func written(dir string, files Files) string {
	var words []string
	v := reflect.ValueOf(files)
	for i := range v.NumField() {
		if path := v.Field(i).String(); path != "" {
			rel, _ := filepath.Rel(dir, path)
			words = append(words, v.Type().Field(i).Name+"="+rel)
		}
	}
	return sorted(strings.Join(words, " "))
}

func sorted(words string) string {
	fields := strings.Fields(words)
	slices.Sort(fields)
	return strings.Join(fields, " ")
}
