package folder

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// details adds what only some kinds have.
func (l *listing) details(m *Model, p parts, chosen map[role]string) {
	m.Can.Stream = slices.ContainsFunc(streaming(), func(s spec) bool { return s.kind == m.Kind })
	model := p[theModel]
	switch m.Kind {
	case OnlineTransducer, OfflineTransducer:
		m.Dimension = known(size(p[encoder].Inputs, 0, 2), defaultDimension)
		if m.Type == "" { // NeMo's are transposed
			m.Dimension = known(size(p[encoder].Inputs, 0, 1), defaultDimension)
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
	case Punctuation:
		l.punctuation(p, chosen)
	case OnlinePunctuation:
		l.onlinePunctuation(m, p, chosen)
	}
	if m.Kind == Embedding {
		l.embedding(p, chosen)
	}
}

func known(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// whisper completes a Whisper model: what it can depends on whether it knows more than English, and on its decoder.
func (l *listing) whisper(m *Model, p parts, chosen map[role]string) {
	data := p[encoder].Metadata
	m.Dimension = known(number(data, "n_mels"), defaultDimension)
	// Only decoders that are exported with their attention have a fourth output, from which times are derived.
	m.Can.Timestamps = len(p[decoder].Outputs) >= 4
	if number(data, "is_multilingual") == 0 {
		m.Can.Obey = false
		return
	}
	l.metadata(chosen[encoder], data, need{lists: "all_language_tokens", texts: "all_language_codes"})
	codes, ids := strings.Split(data["all_language_codes"], ","), strings.Split(data["all_language_tokens"], ",")
	if len(codes) != len(ids) {
		l.fault(chosen[encoder], fmt.Errorf("metadata: %d all_language_codes and %d all_language_tokens", len(codes), len(ids)))
	}
	m.Can.Detect = true
	// The library's identification makes features of 80 bins only.
	m.Can.Identify = m.Dimension == defaultDimension
}

// senseVoice checks the keys that all but the variant of FunASR nano must have.
func (l *listing) senseVoice(m *Model, p parts, chosen map[role]string) {
	data := p[theModel].Metadata
	if strings.Contains(data["comment"], "Nano") {
		m.Can.Detect, m.Can.Obey = false, false
		return
	}
	l.metadata(chosen[theModel], data, need{ints: "with_itn without_itn lang_auto lang_zh lang_en lang_ja lang_ko lang_yue"})
}

// punctuation checks the vocabulary that an offline punctuation model carries in its metadata.
func (l *listing) punctuation(p parts, chosen map[role]string) {
	data, name := p[theModel].Metadata, chosen[theModel]
	tokens := strings.Split(data["tokens"], "|")
	if want := number(data, "vocab_size"); len(tokens) != want {
		l.fault(name, fmt.Errorf("metadata: %d tokens, and vocab_size is %d", len(tokens), want))
	}
	if !slices.Contains(tokens, data["unk_symbol"]) {
		l.fault(name, errors.New("metadata: unk_symbol is none of the tokens"))
	}
	marks := strings.Split(data["punctuations"], "|")
	for _, mark := range []string{"。", "，", "？", "、", "_"} {
		if !slices.Contains(marks, mark) {
			l.fault(name, fmt.Errorf("metadata: punctuations lack %s", mark))
		}
	}
	if n := size(p[theModel].Outputs, 0, 2); n != len(marks) {
		l.fault(name, fmt.Errorf("%d punctuations, and the output has %d", len(marks), n))
	}
}

// onlinePunctuation checks what the library takes for granted.
func (l *listing) onlinePunctuation(m *Model, p parts, chosen map[role]string) {
	for key, want := range map[string]int{"COMMA": 1, "PERIOD": 2, "QUESTION": 3, "UPPER": 1, "CAP": 2, "MIX_CASE": 3} {
		if got := number(p[theModel].Metadata, key); got != want {
			l.fault(chosen[theModel], fmt.Errorf("metadata: %s is %d, and only %d can be used", key, got, want))
		}
	}
	for i := range 2 {
		if size(p[theModel].Outputs, i, 1) < 4 {
			l.fault(chosen[theModel], fmt.Errorf("output %d does not say that it has 4 classes or more", i))
		}
	}
	m.Files.BPEVocab = l.bpe()
	if m.Files.BPEVocab == "" {
		l.fault("bpe.vocab", errors.New("no such file"))
	}
}

// embedding checks the keys that depend on where an embedding model is from.
func (l *listing) embedding(p parts, chosen map[role]string) {
	data, name := p[theModel].Metadata, chosen[theModel]
	switch data["framework"] {
	case "wespeaker", "3d-speaker":
		l.metadata(name, data, need{ints: "normalize_samples"})
	case "nemo":
		l.metadata(name, data, need{ints: "feat_dim window_size_ms window_stride_ms"})
	default:
		l.fault(name, fmt.Errorf("metadata: framework: %q is unknown", shorten(data["framework"])))
	}
}

// tokenizer finds the one folder that has all files of a tokenizer.
func (l *listing) tokenizer(m *Model, files ...string) {
	var whole []string
	for _, name := range l.folders() {
		if !slices.ContainsFunc(files, func(f string) bool { _, err := l.file(name+"/"+f, maxText); return err != nil }) {
			whole = append(whole, name)
		}
	}
	if len(whole) != 1 {
		l.faults = append(l.faults, fmt.Errorf("%d folders with %s, and one must be there", len(whole), strings.Join(files, ", ")))
		return
	}
	m.Files.Tokenizer = l.dir + string(os.PathSeparator) + whole[0]
}

// folders lists the folders within.
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

// unit decides how hotwords are to be split into tokens: the library's modeling_unit.
func (l *listing) unit(m *Model, t table) {
	if !m.Can.Hotwords {
		return
	}
	var han, pieces int
	for _, symbol := range t.symbols {
		r := []rune(symbol)
		switch {
		case len(r) == 1 && unicode.Is(unicode.Han, r[0]):
			han++
		case r[0] == '▁':
			pieces++
		}
	}
	vocab := l.bpe()
	switch {
	case vocab != "" && han > 0:
		m.Unit = "cjkchar+bpe"
	case vocab != "":
		m.Unit = "bpe"
	case han > 0 && han > pieces:
		m.Unit = "cjkchar"
	default:
		m.Can.Hotwords = false
		return
	}
	if vocab != "" {
		m.Files.BPEVocab = vocab
	}
}

// bpe returns the path of a sound bpe.vocab, "" if there is none.
func (l *listing) bpe() string {
	const name = "bpe.vocab"
	if !l.has(name) {
		return ""
	}
	path, err := l.file(name, maxText)
	if err == nil {
		err = readPieces(path)
	}
	if err != nil {
		l.fault(name, err)
		return ""
	}
	return path
}

// readPieces checks lines of a piece, a tab and its score, which is what sentencepiece writes.
func readPieces(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return bare(err)
	}
	defer file.Close() //nolint:errcheck // only read
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, maxLine), maxLine)
	n := 0
	for lines.Scan() {
		n++
		piece, score, ok := strings.Cut(strings.TrimRight(lines.Text(), "\r"), "\t")
		if !ok || piece == "" || strings.Contains(piece, "\x00") {
			return fmt.Errorf("line %d: not a piece, a tab and a score", n)
		}
		if _, err := strconv.ParseFloat(strings.TrimSpace(score), 32); err != nil {
			return fmt.Errorf("line %d: %q is no score", n, shorten(score))
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d: longer than %d bytes", n+1, maxLine)
	}
	if n == 0 {
		return errors.New("no pieces")
	}
	return bare(lines.Err())
}
