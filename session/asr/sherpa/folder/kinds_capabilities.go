package folder

// capabilityKinds are the kinds that do not recognize speech.
func capabilityKinds() []spec {
	return []spec{
		{
			kind: Punctuation, roles: single, is: func(p parts) bool { return p.has(theModel, "tokens punctuations") },
			needs: []need{{role: theModel, ints: "vocab_size", texts: "tokens punctuations unk_symbol"}},
		},
		{
			kind: OnlinePunctuation, roles: single, is: func(p parts) bool { return p.has(theModel, "COMMA PERIOD") },
			needs: []need{{role: theModel, ints: "COMMA PERIOD QUESTION UPPER CAP MIX_CASE"}},
		},
		{
			kind: Segmentation, roles: single,
			is:    func(p parts) bool { return p.begins(theModel, "pyannote-segmentation") },
			needs: []need{{role: theModel, ints: segmentationInts}},
		},
		{
			kind: Embedding, roles: single, is: func(p parts) bool { return p.has(theModel, "framework output_dim") },
			needs: []need{{role: theModel, ints: "output_dim sample_rate", texts: "language framework"}},
		},
		{
			kind: Denoiser, typ: "*", roles: single, is: func(p parts) bool { return p.typed(theModel, "gtcrn") },
			needs: []need{{
				role: theModel, ints: "sample_rate n_fft hop_length window_length version", texts: "window_type",
				lists: "conv_cache_shape tra_cache_shape inter_cache_shape",
			}},
		},
		{
			kind: Denoiser, typ: "*", roles: single, is: func(p parts) bool { return p.typed(theModel, "dpdfnet") },
			needs: []need{{
				role: theModel, texts: "profile window_type pad_mode", reals: "erb_norm_init spec_norm_init",
				ints: "sample_rate n_fft hop_length window_length freq_bins erb_bins spec_bins state_size " +
					"erb_norm_state_size" +
					" spec_norm_state_size",
			}},
		},
	}
}

const segmentationInts = "sample_rate window_size receptive_field_size receptive_field_shift num_speakers" +
	" powerset_max_classes num_classes"

// kinds are all specs; the first that fits is the model's.
func kinds() []spec {
	all := append(onlineKinds(), offlineKinds()...)
	return append(all, capabilityKinds()...)
}
