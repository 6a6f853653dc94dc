package models

// Releases of sherpa-onnx that hold models. The spelling of "recongition" is theirs.
const (
	releases     = "https://github.com/k2-fsa/sherpa-onnx/releases/download/"
	recognizers  = releases + "asr-models/"
	punctuators  = releases + "punctuation-models/"
	segmenters   = releases + "speaker-segmentation-models/"
	embedders    = releases + "speaker-recongition-models/"
	enhancers    = releases + "speech-enhancement-models/"
	nvidia       = "CC-BY-4.0"
	apache       = "Apache-2.0"
	mit          = "MIT"
	alibaba      = "FunASR Model License 1.1"
	openWeights  = "OpenMDW-1.1"
	krokoLicence = "CC-BY-SA-4.0"
)

// Catalogue lists the models, recognizers first. The slice is the caller's.
//
// Sizes and checksums are those of the release assets as published by k2-fsa; licences and error
// rates are those of each model's own publisher unless another is named: NVIDIA's and OpenAI's
// model cards, icefall's RESULTS.md, the READMEs of T-one, GigaAM, Omnilingual ASR, 3D-Speaker,
// GTCRN and Edge-Punct-Casing. What is not published is empty.
func Catalogue() []Entry {
	all := append(moonshineModels(), streamingModels()...)
	all = append(all, offlineModels()...)
	return append(all, capabilityModels()...)
}

// streamingModels lists the models that return partials.
func streamingModels() []Entry {
	return []Entry{
		{
			Name: "nemotron-3.5-560ms", Languages: nemotronLanguages(), Kind: OnlineTransducer,
			For:  []Use{Partials, Finals},
			Size: 475_271_763, Licence: openWeights, WER: "8.84 % FLEURS, mean of 19 locales, chunk not named (NVIDIA)",
			SHA256:  "c6bf5e0df765f9d5b43bc9e0536d4b4b3e7d40bdf5ecf13e45f134c51c05ae3a",
			Address: recognizers + "sherpa-onnx-nemotron-3.5-asr-streaming-0.6b-560ms-int8-2026-06-11.tar.bz2",
		},
		{
			Name: "fastconformer-en-80ms", Languages: []string{"en"}, Kind: OnlineTransducer, For: []Use{Partials},
			Size: 102_813_625, Licence: nvidia, WER: "5.4 % LibriSpeech test-other, look-ahead not named (NVIDIA)",
			SHA256:  "7bd33a914e93370a1ba9c2066d9e841bdcad8613fa2a00537c1ae15d851a14d8",
			Address: recognizers + "sherpa-onnx-nemo-streaming-fast-conformer-transducer-en-80ms-int8.tar.bz2",
		},
		{
			Name: "fastconformer-en-480ms", Languages: []string{"en"}, Kind: OnlineTransducer,
			For:  []Use{Partials, Finals},
			Size: 105_913_204, Licence: nvidia, WER: "5.4 % LibriSpeech test-other, look-ahead not named (NVIDIA)",
			SHA256:  "da93061cbf7b708b6b65976f70b29f519be29df750d8cdcabf98c65645930f13",
			Address: recognizers + "sherpa-onnx-nemo-streaming-fast-conformer-transducer-en-480ms-int8.tar.bz2",
		},
		{
			Name: "zipformer-en", Languages: []string{"en"}, Kind: OnlineTransducer, For: []Use{Partials, Finals},
			Size: 310_414_022, Licence: apache, WER: "3.06 % LibriSpeech test-clean (icefall)",
			SHA256:  "639e25b578e9e997131402199419c13a941f8e4e198e2da1ce57dbf5cf401282",
			Address: recognizers + "sherpa-onnx-streaming-zipformer-en-2023-06-26.tar.bz2",
		},
		{
			Name: "zipformer-en-20m", Languages: []string{"en"}, Kind: OnlineTransducer, For: []Use{Partials},
			Size: 127_887_156, Licence: apache, WER: "3.94 % LibriSpeech test-clean (icefall)",
			SHA256:  "9c559283e8498d3fe95913c79ca1cb454bb26281ac2b102b41306c7d752765d9",
			Address: recognizers + "sherpa-onnx-streaming-zipformer-en-20M-2023-02-17.tar.bz2",
		},
		{
			Name: "zipformer-zh-en", Languages: []string{"zh", "en"}, Kind: OnlineTransducer,
			For:  []Use{Partials, Finals},
			Size: 511_274_346, Licence: apache,
			SHA256:  "27ffbd9ee24ad186d99acc2f6354d7992b27bcab490812510665fa8f9389c5f8",
			Address: recognizers + "sherpa-onnx-streaming-zipformer-bilingual-zh-en-2023-02-20.tar.bz2",
		},
		{
			Name: "zipformer-ko", Languages: []string{"ko"}, Kind: OnlineTransducer, For: []Use{Partials, Finals},
			WER:     "CER 10.22 % KsponSpeech eval_clean (icefall)",
			Address: recognizers + "sherpa-onnx-streaming-zipformer-korean-2024-06-16.tar.bz2",
		},
		{
			Name: "t-one-ru", Languages: []string{"ru"}, Kind: OnlineToneCTC, For: []Use{Partials, Finals},
			Size: 128_468_156, Licence: apache, WER: "8.63 % call centre (T-one)",
			SHA256:  "b9c907450e99a6e5049e279bf18368a17db0bdc5e63b7fa978943138debbe3ae",
			Address: recognizers + "sherpa-onnx-streaming-t-one-russian-2025-09-08.tar.bz2",
		},
		kroko("en", 57_267_600, "c8676e5ff9ac2a85296e53ee0fd4d5fb1db6770e7a7647166eeafe349ade6834"),
		kroko("de", 57_565_698, "9e27b783c20e67b0d0f13a258c1861fce199917c969d9176a438bee38df64962"),
		kroko("es", 124_394_665, "31b2230a95d23290b308b393da930015a4b2105cb3abb9367aed35f7fcf29cf1"),
		kroko("fr", 57_220_361, "e6ffd3dc43725cd6c8137b05c739f15607d0df946b9b90eb141e10059efca024"),
	}
}

// kroko is one of Banafo's community models, which write punctuation and capitals.
func kroko(language string, size int64, sum string) Entry {
	return Entry{
		Name: "kroko-" + language, Languages: []string{language}, Kind: OnlineTransducer, For: []Use{Partials, Finals},
		Size: size, Licence: krokoLicence, SHA256: sum,
		Address: recognizers + "sherpa-onnx-streaming-zipformer-" + language + "-kroko-2025-08-06.tar.bz2",
	}
}
