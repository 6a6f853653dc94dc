package folder

// offlineKinds are the recognizers of whole utterances.
func offlineKinds() []spec {
	all := append(multiFileKinds(), encoderDecoderKinds()...)
	all = append(all, singlePassKinds()...)
	return append(all, ctcKinds()...)
}

// multiFileKinds are those of three files and more, and of files of unusual names.
func multiFileKinds() []spec {
	return []spec{
		{
			kind: OfflineTransducer, typ: "transducer", roles: transducer, can: Abilities{Timestamps: true,
				Hotwords: true},
			is:    func(p parts) bool { return p.typed(encoder, "conformer", "zipformer", "zipformer2") },
			needs: []need{{role: decoder, ints: "vocab_size context_size"}},
			vocab: vocabulary{file: true, key: "vocab_size"},
		},
		{
			kind: OfflineNeMoTransducer, typ: "nemo_transducer", roles: transducer,
			can:   Abilities{Timestamps: true, Hotwords: true},
			is:    func(p parts) bool { return p.begins(encoder, "EncDec") },
			needs: []need{{role: encoder, ints: "vocab_size subsampling_factor pred_rnn_layers pred_hidden"}},
			vocab: nemoVocabulary(),
		},
		{
			kind: OfflineMoonshine, roles: []role{preprocessor, encoder, uncachedDecoder, cachedDecoder},
			is: always, vocab: vocabulary{file: true, gaps: true},
		},
		{
			kind: OfflineQwen3, roles: []role{convFrontend, encoder, decoder}, is: always,
			languages: "zh en ar de fr es pt id it ko ru th vi ja tr hi ms nl sv da fi pl cs tl fa el hu mk ro",
		},
		{
			kind: OfflineFunASRNano, roles: []role{encoderAdaptor, llm, embedding}, is: always, languages: "zh en ja",
			needs: []need{
				{role: encoderAdaptor, ints: "lfr_window_size lfr_window_shift llm_dim"},
				{role: llm, ints: "vocab_size"},
				{role: embedding, ints: "hidden_size"},
			},
		},
	}
}

func always(parts) bool { return true }

// encoderDecoderKinds are those of an encoder and a decoder that generates one token after another.
func encoderDecoderKinds() []spec {
	pair := []role{encoder, decoder}
	return []spec{
		{
			// The library reads at most 3000 frames of 10 ms, and keeps 50 of them for silence at
			// the end.
			kind: OfflineWhisper, roles: pair, can: Abilities{TakeLanguage: true}, longest: 29,
			is: func(p parts) bool { return p.begins(encoder, "whisper") },
			needs: []need{{
				role: encoder, lists: "sot_sequence",
				ints: "n_mels n_text_layer n_text_ctx n_text_state n_vocab sot eot blank_id translate transcribe " +
					"is_multilingual" +
					" no_timestamps no_speech",
			}},
			vocab: vocabulary{file: true, gaps: true},
		},
		{
			// https://huggingface.co/nvidia/canary-180m-flash: trained on up to 40 s.
			kind: OfflineCanary, roles: pair, can: Abilities{TakeLanguage: true}, longest: 40, languages: "en es de fr",
			is:    func(p parts) bool { return p.typed(encoder, "EncDecMultiTaskModel") },
			needs: []need{{role: encoder, ints: "vocab_size subsampling_factor feat_dim"}},
			vocab: vocabulary{file: true, key: "vocab_size", exact: true, symbols: []string{
				"<|endoftext|>", "<|startofcontext|>", "<|startoftranscript|>", "<|emo:undefined|>", "<|pnc|>",
				"<|nopnc|>",
				"<|noitn|>", "<|notimestamp|>", "<|nodiarize|>", "<|en|>", "<|es|>", "<|de|>", "<|fr|>",
			}},
		},
		{
			kind: OfflineCohere, roles: pair, can: Abilities{TakeLanguage: true}, longest: 35,
			is:        func(p parts) bool { return p.begins(encoder, "cohere-transcribe") },
			vocab:     vocabulary{file: true, gaps: true, symbols: []string{"<|endoftext|>"}},
			languages: "en fr de it es pt el nl pl zh ja ko vi ar",
		},
		{
			// https://github.com/FireRedTeam/FireRedASR: up to 60 s.
			kind: OfflineFireRed, roles: pair, longest: 60, languages: "zh en",
			is: func(p parts) bool {
				return p.begins(encoder, "fire-red") || p.has(encoder, "cmvn_mean num_decoder_layers")
			},
			needs: []need{{
				role: encoder, ints: "num_decoder_layers num_head head_dim sos eos max_len",
				reals: "cmvn_mean cmvn_inv_stddev", even: true,
			}},
			vocab: vocabulary{file: true, gaps: true},
		},
	}
}

// singlePassKinds are those of one file that find all tokens in one pass.
func singlePassKinds() []spec {
	return []spec{
		{
			kind: OfflineSenseVoice, roles: single, can: Abilities{Timestamps: true, Detect: true, TakeLanguage: true},
			is: func(p parts) bool {
				return p.typed(theModel, "sense_voice_ctc") || p.has(theModel, "lang_auto with_itn")
			},
			needs:     []need{{role: theModel, ints: "vocab_size lfr_window_size lfr_window_shift normalize_samples"}},
			vocab:     vocabulary{file: true, key: "vocab_size"},
			languages: "zh en ja ko",
		},
		{
			kind: OfflineParaformer, roles: single, can: Abilities{Timestamps: true}, languages: "zh",
			is: func(p parts) bool {
				return p.typed(theModel, "paraformer") || p.has(theModel, "neg_mean lfr_window_size")
			},
			needs: []need{{
				role: theModel, ints: "vocab_size lfr_window_size lfr_window_shift", reals: "neg_mean inv_stddev",
				even: true,
			}},
			vocab: vocabulary{file: true, key: "vocab_size", symbols: []string{"</s>"}},
		},
	}
}

// ctcKinds are those of one file that return the token of each frame.
func ctcKinds() []spec {
	timed := Abilities{Timestamps: true}
	return []spec{
		{
			kind: OfflineNeMoCTC, roles: single, can: timed,
			is:    func(p parts) bool { return p.begins(theModel, "EncDec") },
			needs: []need{{role: theModel, ints: "vocab_size subsampling_factor"}},
			vocab: vocabulary{file: true, shape: theModel, one: blanks},
		},
		{
			kind: OfflineZipformerCTC, roles: single, can: timed,
			is:    func(p parts) bool { return p.typed(theModel, "zipformer2_ctc") },
			vocab: vocabulary{file: true, shape: theModel, one: blanks},
		},
		{
			kind: OfflineWenetCTC, roles: single, can: timed,
			is:    func(p parts) bool { return p.typed(theModel, "wenet_ctc") && !p.has(theModel, "left_chunks") },
			needs: []need{{role: theModel, ints: "vocab_size subsampling_factor"}},
			vocab: vocabulary{file: true, key: "vocab_size", one: blanks},
		},
		{
			kind: OfflineOmnilingualCTC, roles: single, can: timed, languages: whisperLanguages,
			is:    func(p parts) bool { return p.typed(theModel, "omnilingual-asr") },
			vocab: vocabulary{file: true, shape: theModel},
		},
		{
			kind: OfflineFireRedCTC, roles: single, can: timed, languages: "zh en",
			is:    func(p parts) bool { return p.typed(theModel, "fire-red-asr-2-ctc") },
			needs: []need{{role: theModel, texts: "model_type", reals: "cmvn_mean cmvn_inv_stddev", even: true}},
			vocab: vocabulary{file: true, shape: theModel, one: blanks},
		},
		{
			kind: OfflineMedASRCTC, roles: single, can: timed, languages: "en",
			is:    func(p parts) bool { return p.typed(theModel, "medasr_ctc") },
			needs: []need{{role: theModel, ints: "vocab_size"}},
			vocab: vocabulary{file: true, key: "vocab_size", one: blanks},
		},
		{
			kind: OfflineTDNN, roles: single, can: timed, is: func(p parts) bool { return p.typed(theModel, "tdnn") },
			needs: []need{{role: theModel, ints: "vocab_size"}},
			vocab: vocabulary{file: true, key: "vocab_size", one: blanks},
		},
		{
			kind: OfflineTeleSpeechCTC, typ: "telespeech_ctc", roles: single, can: timed, languages: "zh",
			is:    func(p parts) bool { return p.typed(theModel, "telespeech_ctc") },
			vocab: vocabulary{file: true, shape: theModel, one: blanks},
		},
		{
			kind: OfflineDolphinCTC, roles: single, can: timed,
			is: func(p parts) bool {
				return p.begins(theModel, "dolphin") ||
					p.has(theModel, "mean invstd vocab_size")
			},
			needs: []need{{role: theModel, ints: "vocab_size", reals: "mean invstd", even: true}},
			vocab: vocabulary{file: true, key: "vocab_size", one: blanks},
			languages: "zh ja th ru ko id vi hi ur ms uz ar fa bn ta te gu my tl kk ne mn km jw lo si ps pa ba tg " +
				"su mr" +
				" az",
		},
	}
}
