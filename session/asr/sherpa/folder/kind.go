package folder

// Kind is a kind of model, as manifests name it. It selects the library's options.
type Kind string

// Streaming recognizers.
const (
	OnlineTransducer    Kind = "online-transducer"
	OnlineParaformer    Kind = "online-paraformer"
	OnlineZipformer2CTC Kind = "online-zipformer2-ctc"
	OnlineNeMoCTC       Kind = "online-nemo-ctc"
	OnlineToneCTC       Kind = "online-t-one-ctc"
)

// Recognizers of whole utterances.
const (
	OfflineTransducer     Kind = "offline-transducer"
	OfflineNeMoTransducer Kind = "offline-nemo-transducer"
	OfflineNeMoCTC        Kind = "offline-nemo-ctc"
	OfflineZipformerCTC   Kind = "offline-zipformer-ctc"
	OfflineWenetCTC       Kind = "offline-wenet-ctc"
	OfflineParaformer     Kind = "offline-paraformer"
	OfflineWhisper        Kind = "offline-whisper"
	OfflineSenseVoice     Kind = "offline-sense-voice"
	OfflineMoonshine      Kind = "offline-moonshine"
	OfflineCanary         Kind = "offline-canary"
	OfflineOmnilingualCTC Kind = "offline-omnilingual-ctc"
	OfflineFireRed        Kind = "offline-fire-red"
	OfflineFireRedCTC     Kind = "offline-fire-red-ctc"
	OfflineDolphinCTC     Kind = "offline-dolphin-ctc"
	OfflineQwen3          Kind = "offline-qwen3-asr"
	OfflineCohere         Kind = "offline-cohere-transcribe"
	OfflineFunASRNano     Kind = "offline-funasr-nano"
	OfflineMedASRCTC      Kind = "offline-medasr-ctc"
	OfflineTDNN           Kind = "offline-tdnn-ctc"
	OfflineTeleSpeechCTC  Kind = "offline-telespeech-ctc"
)

// Kinds that do not recognize speech.
const (
	Punctuation       Kind = "punctuation"
	OnlinePunctuation Kind = "online-punctuation"
	Segmentation      Kind = "speaker-segmentation"
	Embedding         Kind = "speaker-embedding"
	Diarization       Kind = "diarization" // segmentation and embedding in one folder
	Denoiser          Kind = "denoiser"
)

// Recognizes reports whether models of the kind recognize words.
func (k Kind) Recognizes() bool {
	switch k {
	case Punctuation, OnlinePunctuation, Segmentation, Embedding, Diarization, Denoiser:
		return false
	}
	return k != ""
}
