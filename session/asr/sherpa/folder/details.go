package folder

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"steno/session/asr/sherpa/onnx"
)

// details sets the fields that only some kinds have.
func (l *listing) details(m *Model, p parts, chosen map[role]string) {
	m.Can.Stream = slices.ContainsFunc(onlineKinds(), func(s spec) bool { return s.kind == m.Kind })
	model := p[theModel]
	switch m.Kind {
	case OnlineTransducer, OfflineTransducer:
		m.Dimension = known(size(p[encoder].Inputs, 0, 2), defaultDimension)
		if m.Type == "" { // NeMo's are transposed
			m.Dimension = known(size(p[encoder].Inputs, 0, 1), defaultDimension)
			m.Can.TakeLanguage = slices.ContainsFunc(p[encoder].Inputs, func(v onnx.Value) bool {
				return v.Name ==
					"prompt_index"
			})
		}
	case OfflineNeMoTransducer:
		m.Dimension = known(number(p[encoder].Metadata, "feat_dim"), defaultDimension)
	case OfflineNeMoCTC, OnlineNeMoCTC:
		m.Dimension = known(size(model.Inputs, 0, 1), defaultDimension)
	case OfflineCanary:
		m.Dimension = known(number(p[encoder].Metadata, "feat_dim"), defaultDimension)
	case OfflineWhisper:
		l.whisper(m, p, chosen)
	case OfflineTDNN: // the yesno recipe: telephone speech, MFCC-like features of 23 bins
		m.Rate, m.Dimension = 8000, known(size(model.Inputs, 0, 2), 23)
	case OnlineToneCTC, Segmentation, Embedding, Denoiser:
		m.Rate = known(number(model.Metadata, "sample_rate"), defaultRate)
	case OfflineQwen3:
		l.tokenizer(m, "vocab.json", "merges.txt", "tokenizer_config.json")
	case OfflineFunASRNano:
		l.tokenizer(m, "vocab.json", "merges.txt", "tokenizer.json")
	case OfflineSenseVoice:
		l.senseVoice(m, p, chosen)
	}
	l.capability(m, p[theModel], chosen[theModel])
}

func known(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// whisper completes a Whisper model: its abilities depend on whether it knows more than English,
// and on its decoder.
func (l *listing) whisper(m *Model, p parts, chosen map[role]string) {
	data := p[encoder].Metadata
	m.Dimension = known(number(data, "n_mels"), defaultDimension)
	// Only decoders that are exported with their attention have a fourth output, from which times
	// are derived.
	m.Can.Timestamps = len(p[decoder].Outputs) >= 4
	if number(data, "is_multilingual") == 0 {
		m.Can.TakeLanguage = false
		return
	}
	l.metadata(chosen[encoder], data, need{lists: "all_language_tokens", texts: "all_language_codes"})
	codes, ids := strings.Split(data["all_language_codes"], ","), strings.Split(data["all_language_tokens"], ",")
	if len(codes) != len(ids) {
		l.fault(chosen[encoder], fmt.Errorf("metadata: %d all_language_codes and %d all_language_tokens", len(codes),
			len(ids)))
	}
	if strings.Count(data["sot_sequence"], ",") < 2 {
		l.fault(chosen[encoder], errors.New("metadata: sot_sequence: less than 3 tokens"))
	}
	for _, id := range ids {
		if n, err := strconv.Atoi(strings.TrimSpace(id)); err != nil || n < 0 || n >= number(data, "n_vocab") {
			l.fault(chosen[encoder], fmt.Errorf("metadata: all_language_tokens: %q is no token", shorten(id)))
			break
		}
	}
	m.Can.Detect = true
	// The library's identification makes features of 80 bins only.
	m.Can.Identify = m.Dimension == defaultDimension
}

// senseVoice checks the keys that all variants except FunASR nano's must have.
func (l *listing) senseVoice(m *Model, p parts, chosen map[role]string) {
	data := p[theModel].Metadata
	if strings.Contains(data["comment"], "Nano") {
		m.Can.Detect, m.Can.TakeLanguage = false, false
		return
	}
	l.metadata(chosen[theModel], data, need{
		ints: "with_itn without_itn lang_auto lang_zh lang_en lang_ja lang_ko lang_yue", reals: "neg_mean inv_stddev",
		even: true,
	})
}

// tokenizer finds the one folder that has all files of a tokenizer.
func (l *listing) tokenizer(m *Model, files ...string) {
	var whole []string
	for _, name := range l.folders() {
		if !slices.ContainsFunc(files, func(f string) bool {
			_, err := l.file(name+"/"+f, maxText)
			return err !=
				nil
		}) {
			whole = append(whole, name)
		}
	}
	if len(whole) != 1 {
		l.found = append(l.found, fmt.Errorf("%d folders with %s, and one must be there", len(whole),
			strings.Join(files, ", ")))
		return
	}
	m.Files.Tokenizer = l.dir + string(os.PathSeparator) + whole[0]
}

// folders returns the names of the subfolders.
func (l *listing) folders() []string {
	names, err := entries(l.real)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(names, func(name string) bool {
		stat, err := l.stat(l.dir + string(os.PathSeparator) + name)
		return err != nil || !stat.IsDir()
	})
}
