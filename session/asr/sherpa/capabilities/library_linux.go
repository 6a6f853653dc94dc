//go:build linux && cgo && (amd64 || arm64 || arm)

package capabilities

/*
// The binding does not free the result of identification, so this calls the library. The binding
// links it.
struct identified { const char *lang; };
const struct identified *SherpaOnnxSpokenLanguageIdentificationCompute(const void *identification, const void *stream);
void SherpaOnnxDestroySpokenLanguageIdentificationResult(const struct identified *result);
*/
import "C"

import (
	"unsafe"

	library "github.com/k2-fsa/sherpa-onnx-go-linux"

	"steno/session/asr"
	"steno/session/asr/sherpa/folder"
)

// The binding's objects are one pointer, which inner relies on. Should that change, this does not
// compile.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(library.SpokenLanguageIdentification{})-unsafe.Sizeof(uintptr(0))]
	_ = [1]struct{}{}[unsafe.Sizeof(library.OfflineStream{})-unsafe.Sizeof(uintptr(0))]
)

// inner returns the library's pointer that an object of the binding holds.
func inner(object unsafe.Pointer) unsafe.Pointer { return *(*unsafe.Pointer)(object) }

const provider = "cpu"

type identification struct {
	impl *library.SpokenLanguageIdentification
}

func loadIdentifier(m folder.Model, threads int) (identifierLibrary, error) {
	impl := library.NewSpokenLanguageIdentification(&library.SpokenLanguageIdentificationConfig{
		Whisper: library.SpokenLanguageIdentificationWhisperConfig{Encoder: m.Files.Encoder,
			Decoder: m.Files.Decoder},
		NumThreads: threads, Provider: provider,
	})
	if inner(unsafe.Pointer(impl)) == nil {
		return nil, errRefused
	}
	return identification{impl}, nil
}

func (i identification) language(samples []float32) string {
	s := i.impl.CreateStream()
	defer library.DeleteOfflineStream(s)
	s.AcceptWaveform(asr.Rate, samples)
	result := C.SherpaOnnxSpokenLanguageIdentificationCompute(inner(unsafe.Pointer(i.impl)), inner(unsafe.Pointer(s)))
	if result == nil {
		return ""
	}
	defer C.SherpaOnnxDestroySpokenLanguageIdentificationResult(result)
	return C.GoString(result.lang)
}

func (i identification) free() { library.DeleteSpokenLanguageIdentification(i.impl) }

func loadPunctuator(m folder.Model, threads int) (punctuatorLibrary, error) {
	if m.Kind == folder.OnlinePunctuation {
		return loadOnlinePunctuator(m, threads)
	}
	impl := library.NewOfflinePunctuation(&library.OfflinePunctuationConfig{
		Model: library.OfflinePunctuationModelConfig{CtTransformer: m.Files.Model, NumThreads: threads,
			Provider: provider},
	})
	if impl == nil {
		return nil, errRefused
	}
	return offlinePunctuation{impl}, nil
}

func loadOnlinePunctuator(m folder.Model, threads int) (punctuatorLibrary, error) {
	impl := library.NewOnlinePunctuation(&library.OnlinePunctuationConfig{
		Model: library.OnlinePunctuationModelConfig{
			CnnBilstm: m.Files.Model, BpeVocab: m.Files.BPEVocab, NumThreads: threads, Provider: provider,
		},
	})
	if impl == nil {
		return nil, errRefused
	}
	return onlinePunctuation{impl}, nil
}

type offlinePunctuation struct{ impl *library.OfflinePunctuation }

func (p offlinePunctuation) punctuate(text string) string { return p.impl.AddPunct(text) }

func (p offlinePunctuation) free() { library.DeleteOfflinePunc(p.impl) }

type onlinePunctuation struct{ impl *library.OnlinePunctuation }

func (p onlinePunctuation) punctuate(text string) string { return p.impl.AddPunct(text) }

func (p onlinePunctuation) free() { library.DeleteOnlinePunctuation(p.impl) }

type diarization struct {
	impl   *library.OfflineSpeakerDiarization
	config library.OfflineSpeakerDiarizationConfig
}

func loadDiarizer(segmentation, embedding string, threads int) (diarizerLibrary, error) {
	config := library.OfflineSpeakerDiarizationConfig{
		Segmentation: library.OfflineSpeakerSegmentationModelConfig{
			Pyannote: library.OfflineSpeakerSegmentationPyannoteModelConfig{Model: segmentation,
				WindowShiftRatio: shift},
			NumThreads: threads, Provider: provider,
		},
		Embedding:  library.SpeakerEmbeddingExtractorConfig{Model: embedding, NumThreads: threads, Provider: provider},
		Clustering: library.FastClusteringConfig{Threshold: threshold},
		// The library's defaults, in seconds: shorter turns are dropped, shorter pauses are
		// bridged.
		MinDurationOn: 0.3, MinDurationOff: 0.5,
	}
	impl := library.NewOfflineSpeakerDiarization(&config)
	if impl == nil {
		return nil, errRefused
	}
	return diarization{impl, config}, nil
}

func (d diarization) turns(samples []float32, speakers int) []segment {
	config := d.config
	config.Clustering = library.FastClusteringConfig{NumClusters: speakers, Threshold: threshold}
	if speakers == 0 {
		config.Clustering.NumClusters = -1
	}
	d.impl.SetConfig(&config)
	found := d.impl.Process(samples)
	segments := make([]segment, len(found))
	for i, f := range found {
		segments[i] = segment{f.Start, f.End, f.Speaker}
	}
	return segments
}

func (d diarization) free() { library.DeleteOfflineSpeakerDiarization(d.impl) }

type denoiser struct{ impl *library.OnlineSpeechDenoiser }

func loadDenoiser(m folder.Model, threads int) (denoiserLibrary, error) {
	config := library.OnlineSpeechDenoiserConfig{
		Model: library.OfflineSpeechDenoiserModelConfig{NumThreads: int32(threads), Provider: provider},
	}
	switch m.Type {
	case "gtcrn":
		config.Model.Gtcrn.Model = m.Files.Model
	case "dpdfnet":
		config.Model.DpdfNet.Model = m.Files.Model
	default:
		return nil, errRefused
	}
	impl := library.NewOnlineSpeechDenoiser(&config)
	if impl == nil {
		return nil, errRefused
	}
	return denoiser{impl}, nil
}

func (d denoiser) run(samples []float32) []float32 { return d.impl.Run(samples, asr.Rate).Samples }

func (d denoiser) flush() []float32 { return d.impl.Flush().Samples }

func (d denoiser) free() { library.DeleteOnlineSpeechDenoiser(d.impl) }
