package models

// Kind says how a model is loaded: which of sherpa-onnx's model types it is.
type Kind string

// Streaming recognizers, which give partials while they listen.
const (
	OnlineTransducer Kind = "online-transducer"
	OnlineParaformer Kind = "online-paraformer"
	OnlineZipformer2 Kind = "online-zipformer2-ctc"
	OnlineNeMoCTC    Kind = "online-nemo-ctc"
	OnlineToneCTC    Kind = "online-t-one-ctc"
)

// Recognizers of whole utterances, for finals.
const (
	OfflineTransducer     Kind = "offline-transducer"
	OfflineNeMoTransducer Kind = "offline-nemo-transducer"
	OfflineNeMoCTC        Kind = "offline-nemo-ctc"
	OfflineZipformerCTC   Kind = "offline-zipformer-ctc"
	OfflineParaformer     Kind = "offline-paraformer"
	OfflineWhisper        Kind = "offline-whisper"
	OfflineSenseVoice     Kind = "offline-sense-voice"
	OfflineMoonshine      Kind = "offline-moonshine"
	OfflineCanary         Kind = "offline-canary"
	OfflineOmnilingualCTC Kind = "offline-omnilingual-ctc"
)

// What is not recognition.
const (
	Punctuation       Kind = "punctuation"
	OnlinePunctuation Kind = "online-punctuation"
	Segmentation      Kind = "speaker-segmentation"
	Embedding         Kind = "speaker-embedding"
	Denoiser          Kind = "denoiser"
)
