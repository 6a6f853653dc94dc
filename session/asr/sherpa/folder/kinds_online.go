package folder

// transducer are the roles of every transducer.
var transducer = []role{encoder, decoder, joiner}

var single = []role{theModel}

// blanks are the names that a blank may have.
var blanks = []string{"<blk>", "<eps>", "<blank>"}

const nemoCache = " cache_last_channel_dim1 cache_last_channel_dim2 cache_last_channel_dim3" +
	" cache_last_time_dim1 cache_last_time_dim2 cache_last_time_dim3"

const nemoChunk = "window_size chunk_shift"

// onlineKinds are the kinds that return partials.
func onlineKinds() []spec {
	all := append(icefallKinds(), onlineCTCKinds()...)
	return append(all, []spec{
		{
			kind: OnlineTransducer, roles: transducer, can: Abilities{Timestamps: true},
			is: func(p parts) bool {
				return p.begins(encoder, "EncDec") && p[encoder].Metadata["streaming_model_type"] != "" &&
					p[decoder].Metadata["streaming_model_type"] == "nemo_parakeet_unified_streaming"
			},
			needs: []need{{
				role: encoder, texts: "streaming_model_type",
				ints: "vocab_size subsampling_factor pred_rnn_layers pred_hidden left_feature_frames " +
					"chunk_feature_frames" +
					" right_feature_frames left_encoder_frames chunk_encoder_frames right_encoder_frames",
			}},
			vocab: nemoVocabulary(),
		},
		{
			kind: OnlineTransducer, roles: transducer, can: Abilities{Timestamps: true},
			is: func(p parts) bool { return p.begins(encoder, "EncDec") && p.streams(encoder, nemoChunk) },
			needs: []need{{
				role: encoder,
				ints: "vocab_size window_size chunk_shift subsampling_factor pred_rnn_layers pred_hidden" + nemoCache,
			}},
			vocab: nemoVocabulary(),
		},
		{
			kind: OnlineParaformer, roles: []role{encoder, decoder},
			is: func(p parts) bool { return p.typed(encoder, "paraformer") || p.has(encoder, "lfr_window_size") },
			needs: []need{{
				role: encoder,
				ints: "vocab_size lfr_window_size lfr_window_shift encoder_output_size decoder_num_blocks " +
					"decoder_kernel_size",
				reals: "neg_mean inv_stddev", even: true,
			}},
			vocab: vocabulary{file: true, key: "vocab_size", symbols: []string{"</s>"}},
		},
	}...)
}

// onlineCTCKinds are those of one file.
func onlineCTCKinds() []spec {
	live := Abilities{Timestamps: true}
	return []spec{
		{
			kind: OnlineZipformer2CTC, roles: single, can: live,
			is: func(p parts) bool {
				return p.typed(theModel, "zipformer2") &&
					p.streams(theModel, "decode_chunk_len")
			},
			needs: []need{{role: theModel, ints: "T decode_chunk_len", lists: zipformer2Lists, even: true}},
			vocab: vocabulary{file: true, shape: theModel, one: blanks},
		},
		{
			kind: OnlineNeMoCTC, roles: single, can: live,
			is:    func(p parts) bool { return p.begins(theModel, "EncDec") && p.streams(theModel, nemoChunk) },
			needs: []need{{role: theModel, ints: "window_size chunk_shift subsampling_factor vocab_size" + nemoCache}},
			vocab: vocabulary{file: true, key: "vocab_size", extra: 1, one: blanks},
		},
		{
			kind: OnlineToneCTC, roles: single, can: live, languages: "ru",
			is: func(p parts) bool {
				return p.typed(theModel, "t-one") ||
					p.has(theModel, "frame_length_ms state_dim")
			},
			needs: []need{{role: theModel, ints: "frame_length_ms state_dim sample_rate"}},
			vocab: vocabulary{file: true, shape: theModel, one: blanks},
		},
	}
}

const zipformer2Lists = "encoder_dims query_head_dims value_head_dims num_heads num_encoder_layers cnn_module_kernels" +
	" left_context_len"

// icefallKinds are the transducers of the icefall recipes, by the encoder's model_type.
func icefallKinds() []spec {
	encoders := []struct{ typ, ints, lists string }{
		{"conformer", "num_encoder_layers left_context encoder_dim pad_length cnn_module_kernel", ""},
		{
			"ebranchformer", "num_hidden_layers hidden_size intermediate_size csgu_kernel_size merge_conv_kernel" +
				" left_context_len num_heads head_dim", "",
		},
		{"lstm", "num_encoder_layers rnn_hidden_size d_model", ""},
		{"zipformer", "", "encoder_dims attention_dims num_encoder_layers cnn_module_kernels left_context_len"},
		{"zipformer2", "", zipformer2Lists},
	}
	var specs []spec
	for _, e := range encoders {
		specs = append(specs, spec{
			kind: OnlineTransducer, typ: e.typ, roles: transducer, can: Abilities{Timestamps: true, Hotwords: true},
			is: func(p parts) bool { return p.typed(encoder, e.typ) && p.streams(encoder, "decode_chunk_len T") },
			needs: []need{
				{role: encoder, ints: "T decode_chunk_len " + e.ints, lists: e.lists, even: true},
				{role: decoder, ints: "vocab_size context_size"},
			},
			vocab: vocabulary{file: true, key: "vocab_size"},
		})
	}
	return specs
}

// nemoVocabulary counts no blank, which is the last token; there are no other special ones.
func nemoVocabulary() vocabulary {
	return vocabulary{file: true, key: "vocab_size", extra: 1, exact: true, last: "<blk>"}
}
