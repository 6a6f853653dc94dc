package folder

import (
	"strings"

	"steno/session/asr/sherpa/onnx"
)

const canarySymbols = "<|endoftext|> <|startofcontext|> <|startoftranscript|> <|emo:undefined|> <|pnc|> <|nopnc|> <|noitn|>" +
	" <|notimestamp|> <|nodiarize|> <|en|> <|es|> <|de|> <|fr|>"

// moreRecognizers are folders of speech recognition of whole utterances.
func moreRecognizers() []example {
	timed := Abilities{Timestamps: true}
	wide := []onnx.Value{shaped("logits", -1, -1, 5)}
	qwenTokenizer := map[string]string{
		"tokenizer/vocab.json": "{}", "tokenizer/merges.txt": "a b", "tokenizer/tokenizer_config.json": "{}",
		"test_wavs/0.wav": "RIFF",
	}
	return []example{
		{
			fixture{
				"sherpa-onnx-nemo-ctc-giga-am-v2-russian-2025-04-19", map[string]model{"model.int8.onnx": {
					meta:    "model_type=EncDecCTCModel vocab_size=34 subsampling_factor=4 is_giga_am=1 language=Russian",
					inputs:  []onnx.Value{shaped("features", -1, 64, -1)},
					outputs: []onnx.Value{shaped("log_probs", -1, -1, 34)},
				}}, nemo(34),
			},
			recognized{
				kind: OfflineNeMoCTC, languages: "ru", can: timed, dimension: 64,
				files: "Model=model.int8.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-zipformer-ctc-zh-int8-2025-07-03",
				map[string]model{"model.int8.onnx": {meta: "model_type=zipformer2_ctc version=1", outputs: wide}},
				plain(5),
			},
			recognized{kind: OfflineZipformerCTC, languages: "zh", can: timed,
				files: "Model=model.int8.onnx Tokens=tokens.txt"},
		},
		{
			fixture{
				"sherpa-onnx-wenetspeech-yue-u2pp-conformer-ctc-zh-en-cantonese-int8-2025-09-10",
				map[string]model{"model.int8.onnx": {meta: "model_type=wenet_ctc vocab_size=5 subsampling_factor=4"}},
				map[string]string{"tokens.txt": tokens(5, "<blank>")},
			},
			recognized{kind: OfflineWenetCTC, languages: "zh en", can: timed,
				files: "Model=model.int8.onnx Tokens=tokens.txt"},
		},
		{
			fixture{
				"sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17", map[string]model{
					"model.onnx": {},
					"model.int8.onnx": {meta: "model_type=sense_voice_ctc vocab_size=5 lfr_window_size=7 lfr_window_shift=6" +
						" normalize_samples=0 with_itn=14 without_itn=15 lang_auto=0 lang_zh=3 lang_en=4 lang_yue=7 lang_ja=11" +
						" lang_ko=12 neg_mean=-8.3,-8.6 inv_stddev=0.15,0.15"},
				}, plain(5),
			},
			recognized{
				kind: OfflineSenseVoice, languages: "zh en ja ko", files: "Model=model.int8.onnx Tokens=tokens.txt",
				can: Abilities{Timestamps: true, Detect: true, TakeLanguage: true},
			},
		},
		{
			fixture{
				"sherpa-onnx-paraformer-trilingual-zh-cantonese-en", map[string]model{"model.onnx": {
					meta: "model_type=paraformer vocab_size=4 lfr_window_size=7 lfr_window_shift=6 neg_mean=-8.3 inv_stddev=0.15",
				}}, map[string]string{"tokens.txt": tokens(4, "<blank>", "<s>", "</s>")},
			},
			recognized{kind: OfflineParaformer, languages: "zh en", can: timed,
				files: "Model=model.onnx Tokens=tokens.txt"},
		},
		{
			fixture{
				"sherpa-onnx-omnilingual-asr-1600-languages-300M-ctc-int8-2025-11-12", map[string]model{
					"model.int8.onnx": {meta: "model_type=omnilingual-asr", outputs: wide},
				}, map[string]string{"tokens.txt": "<s> 0\n 1\na 2\nb 3\nc 4\n"},
			},
			recognized{
				kind: OfflineOmnilingualCTC, languages: strings.Join(codes(strings.Fields(whisperLanguages)), " "),
				can:   timed,
				files: "Model=model.int8.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-fire-red-asr2-ctc-zh_en-int8-2026-02-25", map[string]model{"model.int8.onnx": {
					meta: "model_type=fire-red-asr-2-ctc cmvn_mean=10.1,11.2 cmvn_inv_stddev=0.2,0.3", outputs: wide,
				}}, plain(5),
			},
			recognized{kind: OfflineFireRedCTC, languages: "zh en", can: timed,
				files: "Model=model.int8.onnx Tokens=tokens.txt"},
		},
		{
			fixture{
				"sherpa-onnx-medasr-ctc-en-int8-2025-12-25",
				map[string]model{"model.int8.onnx": {meta: "model_type=medasr_ctc vocab_size=5"}}, plain(5),
			},
			recognized{kind: OfflineMedASRCTC, languages: "en", can: timed,
				files: "Model=model.int8.onnx Tokens=tokens.txt"},
		},
		{
			fixture{
				"tdnn-hebrew", map[string]model{
					"model-epoch-14-avg-2.onnx": {meta: "model_type=tdnn vocab_size=4",
						inputs: []onnx.Value{shaped("x", -1, -1, 23)}},
				}, map[string]string{"tokens.txt": tokens(4, "<eps>", "SIL", "Y", "N")},
			},
			recognized{
				kind: OfflineTDNN, languages: "he", can: timed, rate: 8000, dimension: 23,
				files: "Model=model-epoch-14-avg-2.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-telespeech-ctc-int8-zh-2024-06-04",
				map[string]model{"model.int8.onnx": {meta: "model_type=telespeech_ctc", outputs: wide}}, plain(5),
			},
			recognized{
				kind: OfflineTeleSpeechCTC, typ: "telespeech_ctc", languages: "zh", can: timed,
				files: "Model=model.int8.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-dolphin-base-ctc-multi-lang-int8-2025-04-02",
				map[string]model{"model.int8.onnx": {meta: "model_type=dolphin vocab_size=5 mean=1,2 invstd=3,4"}},
				plain(5),
			},
			recognized{
				kind: OfflineDolphinCTC, can: timed, files: "Model=model.int8.onnx Tokens=tokens.txt",
				languages: "zh ja th ru ko id vi hi ur ms uz ar fa bn ta te gu my tl kk ne mn km jw lo si ps pa ba tg su mr az",
			},
		},
		{
			fixture{
				"sherpa-onnx-nemo-canary-180m-flash-en-es-de-fr-int8", map[string]model{
					"encoder.int8.onnx": {meta: "model_type=EncDecMultiTaskModel vocab_size=20 subsampling_factor=8 feat_dim=128"},
					"decoder.int8.onnx": {},
				}, map[string]string{"tokens.txt": tokens(20, strings.Fields(canarySymbols)...)},
			},
			recognized{
				kind: OfflineCanary, languages: "en es de fr", can: Abilities{TakeLanguage: true}, dimension: 128,
				longest: 40,
				files:   "Encoder=encoder.int8.onnx Decoder=decoder.int8.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-cohere-transcribe-14-lang-int8-2026-04-01", map[string]model{
					"encoder.int8.onnx": {meta: "model_type=cohere-transcribe-03-2026"},
					"decoder.int8.onnx": {outputs: []onnx.Value{shaped("logits", -1, -1, 20)}},
				}, map[string]string{"tokens.txt": tokens(20, "<|endoftext|>")},
			},
			recognized{
				kind: OfflineCohere, languages: "en fr de it es pt el nl pl zh ja ko vi ar",
				can: Abilities{TakeLanguage: true}, longest: 35,
				files: "Encoder=encoder.int8.onnx Decoder=decoder.int8.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-fire-red-asr-large-zh_en-2025-02-16", map[string]model{
					"encoder.int8.onnx": {meta: "num_decoder_layers=16 num_head=20 head_dim=64 sos=3 eos=4 max_len=448" +
						" cmvn_mean=10.1,11.2 cmvn_inv_stddev=0.2,0.3"},
					"decoder.int8.onnx": {},
				}, plain(5),
			},
			recognized{
				kind: OfflineFireRed, languages: "zh en", longest: 60,
				files: "Encoder=encoder.int8.onnx Decoder=decoder.int8.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-moonshine-tiny-en-int8", map[string]model{
					"preprocess.onnx": {}, "encode.int8.onnx": {}, "uncached_decode.int8.onnx": {},
					"cached_decode.int8.onnx": {},
				}, plain(5),
			},
			recognized{
				kind: OfflineMoonshine, languages: "en",
				files: "Preprocessor=preprocess.onnx Encoder=encode.int8.onnx UncachedDecoder=uncached_decode.int8.onnx" +
					" CachedDecoder=cached_decode.int8.onnx Tokens=tokens.txt",
			},
		},
		{
			fixture{
				"sherpa-onnx-qwen3-asr-0.6B-int8-2026-03-25",
				map[string]model{"conv_frontend.onnx": {}, "encoder.int8.onnx": {}, "decoder.int8.onnx": {}},
				qwenTokenizer,
			},
			recognized{
				kind: OfflineQwen3, languages: "zh en ar de fr es pt id it ko ru th vi ja tr hi ms nl sv da fi pl cs tl fa el hu mk ro",
				files: "ConvFrontend=conv_frontend.onnx Encoder=encoder.int8.onnx Decoder=decoder.int8.onnx Tokenizer=tokenizer",
			},
		},
		{
			fixture{
				"sherpa-onnx-funasr-nano-int8-2025-12-30", map[string]model{
					"encoder_adaptor.int8.onnx": {meta: "lfr_window_size=7 lfr_window_shift=6 llm_dim=1024"},
					"llm.int8.onnx":             {meta: "vocab_size=151936"},
					"embedding.int8.onnx":       {meta: "hidden_size=1024"},
				}, map[string]string{"Qwen3-0.6B/vocab.json": "{}", "Qwen3-0.6B/merges.txt": "a b",
					"Qwen3-0.6B/tokenizer.json": "{}"},
			},
			recognized{
				kind: OfflineFunASRNano, languages: "zh en ja",
				files: "EncoderAdaptor=encoder_adaptor.int8.onnx LLM=llm.int8.onnx Embedding=embedding.int8.onnx Tokenizer=Qwen3-0.6B",
			},
		},
	}
}

const (
	pyannoteMeta = "model_type=pyannote-segmentation-3.0 sample_rate=16000 window_size=160000 receptive_field_size=991" +
		" receptive_field_shift=270 num_speakers=3 powerset_max_classes=2 num_classes=7"
	eres2netMeta = "framework=3d-speaker language=Chinese sample_rate=16000 output_dim=512 normalize_samples=1" +
		" feature_normalize_type=global-mean"
	gtcrnMeta = "model_type=gtcrn version=1 sample_rate=16000 n_fft=512 hop_length=256 window_length=512 window_type=hann_sqrt" +
		" conv_cache_shape=2,1,16,16,33 tra_cache_shape=2,3,1,1,16 inter_cache_shape=2,1,33,16"
	dpdfnetMeta = "model_type=dpdfnet profile=dpdfnet_16khz sample_rate=16000 n_fft=320 hop_length=160 window_length=320" +
		" window_type=vorbis pad_mode=constant freq_bins=161 erb_bins=32 spec_bins=96 state_size=10 erb_norm_state_size=2" +
		" spec_norm_state_size=3 erb_norm_init=1,2 spec_norm_init=1,2,3"
)

// capabilityExamples are folders of what does not recognize.
func capabilityExamples() []example {
	pyannote := model{meta: pyannoteMeta, outputs: []onnx.Value{shaped("y", -1, -1, 7)}}
	eres2net := model{meta: eres2netMeta, outputs: []onnx.Value{shaped("embedding", -1, 512)}}
	state := func(first onnx.Value, names ...string) []onnx.Value {
		values := []onnx.Value{first}
		for _, name := range names {
			values = append(values, shaped(name, 10))
		}
		return values
	}
	return []example{
		{
			fixture{"sherpa-onnx-punct-ct-transformer-zh-en-vocab272727-2024-04-12", map[string]model{"model.onnx": {
				meta:    "tokens=<unk>|a|b vocab_size=3 punctuations=<unk>|_|，|。|？|、 unk_symbol=<unk>",
				outputs: []onnx.Value{shaped("logits", -1, -1, 6)},
			}}, map[string]string{"tokens.json": "[]"}},
			recognized{kind: Punctuation, languages: "zh en", files: "Model=model.onnx"},
		},
		{
			fixture{"sherpa-onnx-online-punct-en-2024-08-06", map[string]model{"model.int8.onnx": {
				meta:    "COMMA=1 PERIOD=2 QUESTION=3 UPPER=1 CAP=2 MIX_CASE=3",
				outputs: []onnx.Value{shaped("case", -1, 4), shaped("punct", -1, 4)},
			}}, map[string]string{"bpe.vocab": "<unk>\t0\n"}},
			recognized{kind: OnlinePunctuation, languages: "en", files: "Model=model.int8.onnx BPEVocab=bpe.vocab"},
		},
		{
			fixture{"sherpa-onnx-pyannote-segmentation-3-0", map[string]model{"model.onnx": pyannote,
				"model.int8.onnx": pyannote}, nil},
			recognized{kind: Segmentation, files: "Model=model.int8.onnx"},
		},
		{
			fixture{"voices", map[string]model{"3dspeaker_speech_eres2net_base_sv_zh-cn_3dspeaker_16k.onnx": eres2net},
				nil},
			recognized{kind: Embedding, files: "Model=3dspeaker_speech_eres2net_base_sv_zh-cn_3dspeaker_16k.onnx"},
		},
		{
			fixture{"titanet", map[string]model{"nemo_en_titanet_small.onnx": {
				meta: "framework=nemo language=English sample_rate=16000 output_dim=192 feat_dim=80 window_size_ms=25" +
					" window_stride_ms=10 window_type=hann feature_normalize_type=per_feature",
			}}, nil},
			recognized{kind: Embedding, files: "Model=nemo_en_titanet_small.onnx"},
		},
		{
			fixture{"speakers", map[string]model{"segmentation.onnx": pyannote, "voices.onnx": eres2net,
				"voices.int8.onnx": eres2net}, nil},
			recognized{kind: Diarization, files: "Segmentation=segmentation.onnx Embedding=voices.int8.onnx"},
		},
		{
			fixture{"gtcrn", map[string]model{"gtcrn_simple.onnx": {
				meta: gtcrnMeta, inputs: state(shaped("mix", 1, 257, 1, 2), "a", "b", "c"),
				outputs: state(shaped("enh", 1, 257, 1, 2), "d", "e", "f"),
			}}, nil},
			recognized{kind: Denoiser, typ: "gtcrn", files: "Model=gtcrn_simple.onnx"},
		},
		{
			fixture{"dpdfnet", map[string]model{"dpdfnet_baseline.onnx": {
				meta: dpdfnetMeta, inputs: state(shaped("spec", 1, 1, 161, 2), "a"),
				outputs: state(shaped("out", 1, 1, 161, 2), "b"),
			}}, nil},
			recognized{kind: Denoiser, typ: "dpdfnet", files: "Model=dpdfnet_baseline.onnx"},
		},
	}
}
