package models

// moonshineModels lists models of Moonshine AI, which steno decodes itself. The first comes with
// make demo: it has two origins, and its files are the same from either.
func moonshineModels() []Entry {
	const maker = "Moonshine AI"
	return []Entry{
		{
			Name: "moonshine-tiny-en", Languages: []string{"en"}, Kind: Moonshine, For: []Use{Partials, Finals},
			Size: 84_940_345, Licence: mit, Makers: maker,
			Wheel: &Wheel{
				Package: "moonshine-voice", Version: "0.0.49", Platform: "manylinux_2_34_x86_64", Python: "3.11",
				SHA256:  "03edc378e5236832421ccd382b267e43b95af8008137ad6643f5baf5ba31b579",
				Folder:  "moonshine_voice/assets/tiny-en",
				Licence: "moonshine_voice-0.0.49.dist-info/licenses/LICENSE",
			},
			Address: recognizers + "sherpa-onnx-moonshine-tiny-en-quantized-2026-02-27.tar.bz2",
			Pinned: []File{
				{"decoder_model_merged.ort", 30_412_256,
					"cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0"},
				{"encoder_model.ort", 13_281_600, "94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221"},
				{"tokenizer.bin", 249_974, "6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d"},
			},
		},
		{
			Name: "moonshine-base-en", Languages: []string{"en"}, Kind: Moonshine, For: []Use{Partials, Finals},
			Size: 111_266_225, Licence: mit, Makers: maker,
			SHA256:  "43232c1d13013d37317163baec3135bd771a186a4356f28c889bab453bb0e891",
			Address: recognizers + "sherpa-onnx-moonshine-base-en-quantized-2026-02-27.tar.bz2",
		},
	}
}
