package models

// offlineModels lists the models that recognize whole utterances.
func offlineModels() []Entry {
	return []Entry{
		{
			Name: "parakeet-tdt-0.6b-v2", Languages: []string{"en"}, Kind: OfflineNeMoTransducer, For: []Use{Finals},
			Size: 482_468_385, Licence: nvidia, WER: "1.69 % LibriSpeech test-clean (NVIDIA)",
			SHA256:  "157c157bc51155e03e37d2466522a3a737dd9c72bb25f36eb18912964161e1ad",
			Address: recognizers + "sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8.tar.bz2",
		},
		{
			Name: "parakeet-tdt-0.6b-v3", Languages: europeanLanguages(), Kind: OfflineNeMoTransducer,
			For:  []Use{Finals},
			Size: 487_170_055, Licence: nvidia, WER: "1.93 % LibriSpeech test-clean (NVIDIA)",
			SHA256:  "5793d0fd397c5778d2cf2126994d58e9d56b1be7c04d13c7a15bb1b4eafb16bf",
			Address: recognizers + "sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8.tar.bz2",
		},
		{
			Name: "parakeet-tdt-110m", Languages: []string{"en"}, Kind: OfflineNeMoTransducer, For: []Use{Finals},
			Size: 108_035_095, Licence: nvidia, WER: "2.40 % LibriSpeech test-clean (NVIDIA)",
			SHA256:  "f628312e9fdf8686374cb01a69425c41732529d540860311f16f37cbc32cfe9b",
			Address: recognizers + "sherpa-onnx-nemo-parakeet_tdt_transducer_110m-en-36000-int8.tar.bz2",
		},
		{
			Name: "parakeet-ctc-0.6b-ja", Languages: []string{"ja"}, Kind: OfflineNeMoCTC, For: []Use{Finals},
			Size: 489_389_564, Licence: nvidia, WER: "CER 6.4 % JSUT basic5000 (NVIDIA)",
			SHA256:  "4b0a800ef29f4f4c8667339bf6f60d5bfdc2852ddc9dc5741aea65b6f8d1306b",
			Address: recognizers + "sherpa-onnx-nemo-parakeet-tdt_ctc-0.6b-ja-35000-int8.tar.bz2",
		},
		{
			Name: "canary-180m-flash", Languages: []string{"en", "de", "es", "fr"}, Kind: OfflineCanary,
			For:  []Use{Finals},
			Size: 153_692_328, Licence: nvidia, WER: "1.87 % LibriSpeech test-clean (NVIDIA)",
			SHA256:  "7a38ed8b13f014ad632b09ff8d22e0c6f1359dd046af9235d281dfae841b9ab9",
			Address: recognizers + "sherpa-onnx-nemo-canary-180m-flash-en-es-de-fr-int8.tar.bz2",
		},
		{
			Name: "sense-voice", Languages: []string{"zh", "en", "ja", "ko"}, Kind: OfflineSenseVoice,
			For:  []Use{Finals, Identification},
			Size: 163_002_883, Licence: alibaba, WER: "3.13 % LibriSpeech test-clean (transcribe.cpp)",
			SHA256:  "7d1efa2138a65b0b488df37f8b89e3d91a60676e416f515b952358d83dfd347e",
			Address: recognizers + "sherpa-onnx-sense-voice-zh-en-ja-ko-yue-int8-2024-07-17.tar.bz2",
		},
		{
			Name: "paraformer-zh", Languages: []string{"zh", "en"}, Kind: OfflineParaformer, For: []Use{Finals},
			Size: 234_051_698, SHA256: "9c49fd9c6fb63de8e18c1054cf3d100f804741b7e608e187923cd8ff09fa9f03",
			Address: recognizers + "sherpa-onnx-paraformer-zh-2023-09-14.tar.bz2",
		},
		{
			Name: "gigaam-v3-ru", Languages: []string{"ru"}, Kind: OfflineNeMoTransducer, For: []Use{Finals},
			Size: 167_388_020, Licence: mit, WER: "2.6 % open data sets (GigaAM)",
			SHA256:  "20a439491904b839f35eb8efaa3d99cbfaaad0c6dcba22d06ff218bb0056772d",
			Address: recognizers + "sherpa-onnx-nemo-transducer-giga-am-v3-russian-2025-12-16.tar.bz2",
		},
		{
			Name: "omnilingual-300m", Languages: omnilingualLanguages(), Kind: OfflineOmnilingualCTC,
			For:  []Use{Finals},
			Size: 292_313_120, Licence: apache,
			SHA256:  "951b32409aade32bd525310bb39e9666773ba3fc611a39e817f620936d76c631",
			Address: recognizers + "sherpa-onnx-omnilingual-asr-1600-languages-300M-ctc-v2-int8-2026-02-05.tar.bz2",
		},
		whisper("tiny", 116_204_861, "7.53", "c46116994e539aa165266d96b325252728429c12535eb9d8b6a2b10f129e66b1"),
		whisper("base", 207_557_382, "5.12", "911b2083efd7c0dca2ac3b358b75222660dc09fb716d64fbfc417ba6c99ff3de"),
		whisper("small", 639_387_718, "3.33", "486a46afbb7ba798507190ffe02fea2dd726049af212e774537efac6afb210a6"),
		whisper("turbo", 563_790_207, "2.01", "b11acbbcd660b44a8e0df33724feb5aaa709cf65668f2823d59f656312544f22"),
	}
}

// whisper returns one of OpenAI's multilingual models. OpenAI publishes error rates in pictures
// only: these are of eight-bit weights, as published by transcribe.cpp.
func whisper(size string, bytes int64, rate, sum string) Entry {
	return Entry{
		Name: "whisper-" + size, Languages: whisperLanguages(), Kind: OfflineWhisper,
		For:  []Use{Finals, Identification},
		Size: bytes, Licence: mit, WER: rate + " % LibriSpeech test-clean (transcribe.cpp)", SHA256: sum,
		Address: recognizers + "sherpa-onnx-whisper-" + size + ".tar.bz2",
	}
}

// capabilityModels lists the models that do not recognize speech.
func capabilityModels() []Entry {
	return []Entry{
		{
			Name: "punctuation-zh-en", Languages: []string{"zh", "en"}, Kind: Punctuation, For: []Use{Marks},
			Size: 64_717_756, Licence: apache,
			SHA256:  "c0d5aa5f8eeb686032345e180bedf39319dc2e0556781c6264bcadba8328a6e1",
			Address: punctuators + "sherpa-onnx-punct-ct-transformer-zh-en-vocab272727-2024-04-12-int8.tar.bz2",
		},
		{
			Name: "punctuation-en", Languages: []string{"en"}, Kind: OnlinePunctuation, For: []Use{Marks},
			Size: 30_667_839, Licence: apache,
			Address: punctuators + "sherpa-onnx-online-punct-en-2024-08-06.tar.bz2",
		},
		{
			Name: "pyannote-segmentation-3", Kind: Segmentation, For: []Use{Speakers}, Size: 6_958_444, Licence: mit,
			SHA256:  "24615ee884c897d9d2ba09bb4d30da6bb1b15e685065962db5b02e76e4996488",
			Address: segmenters + "sherpa-onnx-pyannote-segmentation-3-0.tar.bz2",
		},
		{
			Name: "campplus-zh-en", Kind: Embedding, For: []Use{Speakers}, Size: 28_281_164, Licence: apache,
			SHA256:  "aa3cfc16963a10586a9393f5035d6d6b57e98d358b347f80c2a30bf4f00ceba2",
			Address: embedders + "3dspeaker_speech_campplus_sv_zh_en_16k-common_advanced.onnx",
		},
		{
			Name: "titanet-small", Kind: Embedding, For: []Use{Speakers}, Size: 40_257_283,
			SHA256:  "ad4a1802485d8b34c722d2a9d04249662f2ece5d28a7a039063ca22f515a789e",
			Address: embedders + "nemo_en_titanet_small.onnx",
		},
		{
			Name: "gtcrn", Kind: Denoiser, For: []Use{Denoising}, Size: 535_638, Licence: mit,
			SHA256:  "e77603ac0c23dac3227dd2d7135b3a585cbee2679048aecfa886657d3ae1b534",
			Address: enhancers + "gtcrn_simple.onnx",
		},
	}
}
