//go:build linux && cgo && (amd64 || arm64 || arm)

package sherpa

/*
#include <stdlib.h>

// The C interface has streams with hotwords of their own, the Go binding does not. The binding
// links the library.
const void *SherpaOnnxCreateOnlineStreamWithHotwords(const void *recognizer, const char *hotwords);
const void *SherpaOnnxCreateOfflineStreamWithHotwords(const void *recognizer, const char *hotwords);
*/
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	library "github.com/k2-fsa/sherpa-onnx-go-linux"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
)

// supported is set if this build has the library.
const supported = true

// The binding's recognizers and streams are one pointer, which creating streams with hotwords
// relies on. Should that change, this does not compile.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(library.OnlineRecognizer{})-unsafe.Sizeof(uintptr(0))]
	_ = [1]struct{}{}[unsafe.Sizeof(library.OnlineStream{})-unsafe.Sizeof(uintptr(0))]
	_ = [1]struct{}{}[unsafe.Sizeof(library.OfflineRecognizer{})-unsafe.Sizeof(uintptr(0))]
	_ = [1]struct{}{}[unsafe.Sizeof(library.OfflineStream{})-unsafe.Sizeof(uintptr(0))]
)

// inner returns the binding's pointer within what p points to.
func inner(p unsafe.Pointer) *unsafe.Pointer { return (*unsafe.Pointer)(p) }

const (
	greedy = "greedy_search"
	beam   = "modified_beam_search"
	// paths is the number of hypotheses of beam search, the library's default.
	paths = 4
	// hotwordScore is the library's default, for hotwords without a score of their own.
	hotwordScore = 1.5
)

// method returns a model's search method: only beam search uses hotwords.
func method(m folder.Model, c Config) string {
	if m.Can.Hotwords && !c.Greedy {
		return beam
	}
	return greedy
}

type onlineModel struct{ impl *library.OnlineRecognizer }

// loadOnline loads a streaming model that was checked. The library may end the process
// nevertheless: see [Probe].
func loadOnline(m folder.Model, c Config) (online, error) {
	f := m.Files
	config := library.OnlineRecognizerConfig{
		FeatConfig:     library.FeatureConfig{SampleRate: m.Rate, FeatureDim: m.Dimension},
		DecodingMethod: method(m, c), MaxActivePaths: paths, HotwordsScore: hotwordScore,
	}
	model := &config.ModelConfig
	model.Tokens, model.NumThreads, model.Provider, model.ModelType = f.Tokens, c.Threads, "cpu", m.Type
	model.ModelingUnit, model.BpeVocab = m.Unit, f.BPEVocab
	switch m.Kind {
	case folder.OnlineTransducer:
		model.Transducer = library.OnlineTransducerModelConfig{Encoder: f.Encoder, Decoder: f.Decoder, Joiner: f.Joiner}
	case folder.OnlineParaformer:
		model.Paraformer = library.OnlineParaformerModelConfig{Encoder: f.Encoder, Decoder: f.Decoder}
	case folder.OnlineZipformer2CTC:
		model.Zipformer2Ctc.Model = f.Model
	case folder.OnlineNeMoCTC:
		model.NemoCtc.Model = f.Model
	case folder.OnlineToneCTC:
		model.ToneCtc.Model = f.Model
	default:
		return nil, fmt.Errorf("kind %q is not supported", m.Kind)
	}
	impl := library.NewOnlineRecognizer(&config)
	if impl == nil {
		return nil, errRefused
	}
	return &onlineModel{impl}, nil
}

func (m *onlineModel) Stream(hotwords string) libraryStream {
	if hotwords == "" {
		return &onlineStream{m.impl, library.NewOnlineStream(m.impl)}
	}
	text := C.CString(hotwords)
	defer C.free(unsafe.Pointer(text))
	s := &library.OnlineStream{}
	*inner(unsafe.Pointer(s)) = unsafe.Pointer(C.SherpaOnnxCreateOnlineStreamWithHotwords(*inner(unsafe.Pointer(m.impl)), text))
	return &onlineStream{m.impl, s}
}

func (m *onlineModel) Decode(streams []libraryStream) {
	impls := make([]*library.OnlineStream, len(streams))
	for i, s := range streams {
		impls[i] = s.(*onlineStream).impl
	}
	m.impl.DecodeStreams(impls)
}

func (m *onlineModel) Free() { library.DeleteOnlineRecognizer(m.impl) }

type onlineStream struct {
	recognizer *library.OnlineRecognizer
	impl       *library.OnlineStream
}

func (s *onlineStream) Feed(samples []float32) { s.impl.AcceptWaveform(asr.Rate, samples) }

// Finish reports the end of the samples. Its option lets the last chunk of paraformer models be
// short; others ignore it.
func (s *onlineStream) Finish() {
	s.impl.SetOption("is_final", "1")
	s.impl.InputFinished()
}

func (s *onlineStream) Ready() bool { return s.recognizer.IsReady(s.impl) }

func (s *onlineStream) Result() hypothesis {
	r := s.recognizer.GetResult(s.impl)
	return hypothesis{text: r.Text, tokens: r.Tokens, starts: r.Timestamps, logs: list(r.Json, "ys_probs")}
}

func (s *onlineStream) Free() { library.DeleteOnlineStream(s.impl) }

type offlineModel struct {
	kind   folder.Kind
	config library.OfflineRecognizerConfig
	impl   *library.OfflineRecognizer

	mu       sync.Mutex // guards what follows
	language string     // the one set last
}

// loadOffline is [loadOnline] for models of whole utterances.
func loadOffline(m folder.Model, c Config) (offline, error) {
	config := library.OfflineRecognizerConfig{
		FeatConfig:     library.FeatureConfig{SampleRate: m.Rate, FeatureDim: m.Dimension},
		DecodingMethod: method(m, c), MaxActivePaths: paths, HotwordsScore: hotwordScore,
	}
	model := &config.ModelConfig
	model.Tokens, model.NumThreads, model.Provider, model.ModelType = m.Files.Tokens, c.Threads, "cpu", m.Type
	model.ModelingUnit, model.BpeVocab = m.Unit, m.Files.BPEVocab
	if m.Kind == folder.OfflineMoonshine {
		model.ModelType = "" // the files distinguish "v1" and "v2"
	}
	if !setFiles(m, model) {
		return nil, fmt.Errorf("kind %q is not supported", m.Kind)
	}
	impl := library.NewOfflineRecognizer(&config)
	if impl == nil {
		return nil, errRefused
	}
	return &offlineModel{kind: m.Kind, config: config, impl: impl}, nil
}

// setFiles sets a model's files in the library's configuration of its kind.
func setFiles(m folder.Model, to *library.OfflineModelConfig) bool {
	f := m.Files
	switch m.Kind {
	case folder.OfflineTransducer, folder.OfflineNeMoTransducer:
		to.Transducer = library.OfflineTransducerModelConfig{Encoder: f.Encoder, Decoder: f.Decoder, Joiner: f.Joiner}
	case folder.OfflineNeMoCTC:
		to.NemoCTC.Model = f.Model
	case folder.OfflineZipformerCTC:
		to.ZipformerCtc.Model = f.Model
	case folder.OfflineWenetCTC:
		to.WenetCtc.Model = f.Model
	case folder.OfflineParaformer:
		to.Paraformer.Model = f.Model
	case folder.OfflineSenseVoice:
		to.SenseVoice = library.OfflineSenseVoiceModelConfig{Model: f.Model, UseInverseTextNormalization: 1}
	case folder.OfflineOmnilingualCTC:
		to.Omnilingual.Model = f.Model
	case folder.OfflineFireRedCTC:
		to.FireRedAsrCtc.Model = f.Model
	case folder.OfflineDolphinCTC:
		to.Dolphin.Model = f.Model
	case folder.OfflineMedASRCTC:
		to.MedAsr.Model = f.Model
	case folder.OfflineTDNN:
		to.Tdnn.Model = f.Model
	case folder.OfflineTeleSpeechCTC:
		to.TeleSpeechCtc = f.Model
	default:
		return setGenerativeFiles(m, to)
	}
	return true
}

// setGenerativeFiles is setFiles for kinds that generate text.
func setGenerativeFiles(m folder.Model, to *library.OfflineModelConfig) bool {
	f := m.Files
	switch m.Kind {
	case folder.OfflineWhisper:
		to.Whisper = library.OfflineWhisperModelConfig{Encoder: f.Encoder, Decoder: f.Decoder, Task: "transcribe"}
		if m.Can.Timestamps {
			to.Whisper.EnableTokenTimestamps = 1
		}
	case folder.OfflineCanary:
		to.Canary = library.OfflineCanaryModelConfig{
			Encoder: f.Encoder, Decoder: f.Decoder, SrcLang: m.Languages[0], TgtLang: m.Languages[0], UsePnc: 1,
		}
	case folder.OfflineCohere:
		to.CohereTranscribe = library.OfflineCohereTranscribeModelConfig{
			Encoder: f.Encoder, Decoder: f.Decoder, Language: m.Languages[0], UsePunct: 1,
			UseInverseTextNormalization: 1,
		}
	case folder.OfflineMoonshine:
		to.Moonshine = library.OfflineMoonshineModelConfig{
			Preprocessor: f.Preprocessor, Encoder: f.Encoder, UncachedDecoder: f.UncachedDecoder,
			CachedDecoder: f.CachedDecoder,
		}
	case folder.OfflineFireRed:
		to.FireRedAsr = library.OfflineFireRedAsrModelConfig{Encoder: f.Encoder, Decoder: f.Decoder}
	case folder.OfflineQwen3:
		to.Qwen3ASR = library.OfflineQwen3ASRModelConfig{
			ConvFrontend: f.ConvFrontend, Encoder: f.Encoder, Decoder: f.Decoder, Tokenizer: f.Tokenizer,
			MaxTotalLen: 2048, MaxNewTokens: 512, Temperature: 1e-6, TopP: 0.8, Seed: 42,
		}
	case folder.OfflineFunASRNano:
		to.FunAsrNano = library.OfflineFunASRNanoModelConfig{
			EncoderAdaptor: f.EncoderAdaptor, LLM: f.LLM, Embedding: f.Embedding, Tokenizer: f.Tokenizer,
			SystemPrompt: "You are a helpful assistant.", UserPrompt: "语音转写：", MaxNewTokens: 512, Temperature: 1e-6,
			TopP: 0.8, Seed: 42,
		}
	default:
		return false
	}
	return true
}

func (m *offlineModel) Decode(samples []float32, language, hotwords string) (hypothesis, error) {
	m.setLanguage(language)
	s := m.stream(hotwords)
	defer library.DeleteOfflineStream(s)
	if m.kind == folder.OfflineCohere && language != "" {
		s.SetOption("language", language)
	}
	s.AcceptWaveform(asr.Rate, samples)
	if err := catch(func() { m.impl.Decode(s) }); err != nil {
		return hypothesis{}, err
	}
	r := s.GetResult()
	return hypothesis{
		text: r.Text, tokens: r.Tokens, starts: r.Timestamps, durations: r.Durations, logs: r.YsLogProbs,
		language: code(r.Lang),
	}, nil
}

func (m *offlineModel) stream(hotwords string) *library.OfflineStream {
	if hotwords == "" {
		return library.NewOfflineStream(m.impl)
	}
	text := C.CString(hotwords)
	defer C.free(unsafe.Pointer(text))
	s := &library.OfflineStream{}
	*inner(unsafe.Pointer(s)) = unsafe.Pointer(C.SherpaOnnxCreateOfflineStreamWithHotwords(*inner(unsafe.Pointer(m.impl)), text))
	return s
}

// setLanguage sets the model's language, if it has to be set before a decode. That is why Decode of
// such models is not called twice at a time.
func (m *offlineModel) setLanguage(language string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if language == m.language {
		return
	}
	switch m.kind {
	case folder.OfflineWhisper:
		m.config.ModelConfig.Whisper.Language = language
	case folder.OfflineCanary:
		m.config.ModelConfig.Canary.SrcLang, m.config.ModelConfig.Canary.TgtLang = language, language
	default:
		return
	}
	m.language = language
	m.impl.SetConfig(&m.config)
}

func (m *offlineModel) Free() { library.DeleteOfflineRecognizer(m.impl) }
