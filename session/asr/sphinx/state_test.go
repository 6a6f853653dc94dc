//go:build linux && amd64

package sphinx

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

var librivoxNumbers = []string{"0870", "0880", "0890", "0920", "0930"}

// pieces are stretches of speech of several lengths, cut without regard to words: short ones show
// leaking state best, those longer than hold are decoded while they are spoken.
func pieces(t testing.TB) [][]int16 {
	var out [][]int16
	for _, number := range librivoxNumbers[2:3] {
		samples := librivox(t, number)
		for i, n := 0, 8000; len(samples) >= n; i++ {
			out = append(out, samples[:n])
			samples = samples[n:]
			n = 8000 + i%4*16000
		}
	}
	return out
}

// decodeAll decodes all pieces concurrently, opened in the given order, and returns the finals in
// the order of the pieces.
func decodeAll(t *testing.T, r *Recognizer, all [][]int16, order []int, p asr.Params) []asr.Result {
	out := make([]asr.Result, len(all))
	var wait sync.WaitGroup
	for _, i := range order {
		wait.Go(func() { out[i], _ = recognize(t, r, p, all[i]) })
	}
	wait.Wait()
	return out
}

func order(n int, backwards bool) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
		if backwards {
			out[i] = n - 1 - i
		}
	}
	return out
}

func TestFinalDependsOnItsSamplesAlone(t *testing.T) {
	all := pieces(t)
	one := start(t, small(Config{Slots: 2, Decoders: 2, FinalDecoders: 1}))
	alone := make([]asr.Result, len(all))
	words := 0
	for i := range all {
		alone[i], _ = recognize(t, one, asr.Params{}, all[i])
		words += len(alone[i].Words)
	}
	if words < 2*len(all) {
		t.Fatalf("%d words in %d pieces: too few to tell anything", words, len(all))
	}

	blocks := one.Stats().Lagged.Count
	paced := make([]asr.Result, len(all))
	for i := range all {
		paced[i] = pace(t, one, all[i])
	}
	if n := one.Stats().Lagged.Count - blocks; n < len(all) {
		t.Errorf("%d blocks were decoded before the end of their utterance", n)
	}
	busy := start(t, small(Config{Slots: 3, Decoders: 3, FinalDecoders: 2}))
	for name, got := range map[string][]asr.Result{
		"while spoken":             paced,
		"in parallel":              decodeAll(t, busy, all, order(len(all), false), asr.Params{Partials: true}),
		"as recordings, backwards": decodeAll(t, busy, all, order(len(all), true), asr.Params{Priority: asr.Replay}),
	} {
		for i := range all {
			if !reflect.DeepEqual(got[i], alone[i]) {
				t.Errorf("%s, piece %d:\n got %v\nwant %v", name, i, got[i].Words, alone[i].Words)
			}
		}
	}
}

// pace writes an utterance in chunks of many lengths, and waits for the decoder after each: it
// decodes as if it were always quick enough. Some of what is written is taken back in the end.
func pace(t *testing.T, r *Recognizer, samples []int16) asr.Result {
	t.Helper()
	u, err := r.Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	for i, rest := 0, join(samples, samples[:4000]); len(rest) > 0; i++ {
		n := min(len(rest), 137<<(i%6))
		written := len(samples) + 4000 - len(rest)
		try(t, asr.Tentative(u, min(written, len(samples))), u.Write(rest[:n]))
		rest = rest[n:]
		for busy := true; busy; {
			time.Sleep(time.Millisecond)
			_, slots := r.scheduler.Slots()
			busy = slots > 0 || r.plain.lagged.Figures().Waiting[schedule.Lagged] > 0
		}
		if i%10 == 5 {
			try(t, u.Pause())
		}
	}
	try(t, asr.Cut(u, len(samples)), u.End())
	final, _ := outcome(t, u)
	return final
}

// The library's own batch decoder, given the same options, is the reference for words of utterances
// no longer than hold: longer ones have other cepstral means.
func TestFinalIsThatOfTheBatchDecoder(t *testing.T) {
	batch, err := exec.LookPath("pocketsphinx_batch")
	if err != nil {
		t.Skipf("Debian package pocketsphinx: %v", err)
	}
	r := shared(t)
	dir := t.TempDir()
	var names []string
	var want [][]int16
	short := slices.DeleteFunc(pieces(t), func(samples []int16) bool { return len(samples) > hold*frame })
	for i, samples := range short {
		names = append(names, string(rune('a'+i/26))+string(rune('a'+i%26)))
		writeRaw(t, filepath.Join(dir, names[i]+".raw"), samples)
		want = append(want, samples)
	}
	list, hyp := filepath.Join(dir, "list"), filepath.Join(dir, "hyp")
	if err := os.WriteFile(list, []byte(strings.Join(names, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(batch, "-hmm", DefaultModel, "-lm", DefaultLM, "-dict", r.config.Dict, "-fwdflat", "no",
		"-maxhmmpf", "6000", "-remove_silence", "no", "-cmn", "batch",
		"-adcin", "yes", "-cepdir", dir, "-cepext", ".raw", "-ctl", list, "-hyp", hyp).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out[max(0, len(out)-500):])
	}
	b, err := os.ReadFile(hyp)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d hypotheses of %d", len(lines), len(want))
	}
	for i, line := range lines {
		theirs := strings.TrimSpace(line[:strings.LastIndexByte(line, '(')])
		final, _ := recognize(t, r, asr.Params{}, want[i])
		if got := text(final); got != theirs {
			t.Errorf("piece %d: %q, the batch decoder %q", i, got, theirs)
		}
	}
}

func writeRaw(t *testing.T, name string, samples []int16) {
	t.Helper()
	b := make([]byte, 0, 2*len(samples))
	for _, s := range samples {
		b = append(b, byte(s), byte(uint16(s)>>8))
	}
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
