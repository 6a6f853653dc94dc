//go:build linux && amd64

package sphinx

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(tests{m}) }

// tests are all of the package's. The recognizer that they share is closed after the last of them.
type tests struct{ *testing.M }

func (m tests) Run() int {
	code := m.M.Run()
	if common != nil {
		if err := common.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	if folder != "" {
		_ = os.RemoveAll(folder)
	}
	return code
}

// common is what [shared] has loaded; folder has the dictionary that [thinned] has written.
var (
	common *Recognizer
	folder string
)

// shared is a recognizer with a thinned dictionary for all tests that do not depend on what it has
// done before.
func shared(t testing.TB) *Recognizer {
	t.Helper()
	if common == nil {
		common = load(t, thinned(t, Config{Slots: 2, Decoders: 2, FinalDecoders: 1}))
	}
	return common
}

func librivox(t testing.TB, number string) []int16 {
	return corpus.Debian(t, "librivox/sense_and_sensibility_01_austen_64kb-"+number+".wav")
}

// start loads a recognizer that the test's end closes.
func start(t testing.TB, c Config) *Recognizer {
	t.Helper()
	r := load(t, c)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func load(t testing.TB, c Config) *Recognizer {
	t.Helper()
	for _, f := range []string{"/usr/lib/x86_64-linux-gnu/libpocketsphinx.so.3", DefaultLM, cmp.Or(c.LM, DefaultLM)} {
		if _, err := os.Stat(f); err != nil {
			t.Skipf("Debian packages libpocketsphinx3, pocketsphinx-en-us and pocketsphinx-testdata: %v", err)
		}
	}
	r, err := New(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// small is a configuration with the language model of Debian's test data, of a hundred words. It
// decodes several times as fast as the default one, for tests of what does not depend on the model.
func small(c Config) Config {
	c.LM, c.Dict = corpus.DebianFolder+"/turtle.lm.bin", corpus.DebianFolder+"/turtle.dic"
	return c
}

// spoken are the words of the librivox recordings and others that tests need, but not "amiable" and
// "Dashwood", which vocabularies have.
const spoken = "and mister john had then leisure to consider how much there might be prudently in his power do for " +
	"them he was not an ill disposed young man unless rather cold hearted selfish is married a more woman have been " +
	"made still respectable than even himself grandly aim me able so dash would"

// thinned is a configuration with the default models, but for a dictionary of one word in thirty
// and those that are spoken: all that is loaded, learned and searched for its sake takes a fraction
// of the time.
func thinned(t testing.TB, c Config) Config {
	t.Helper()
	if c.Dict = folder + "/thinned.dict"; folder != "" {
		return c
	}
	b, err := os.ReadFile(DefaultDict)
	if err != nil {
		t.Skipf("Debian package pocketsphinx-en-us: %v", err)
	}
	var out []byte
	n, wanted := 0, strings.Fields(spoken)
	for line := range bytes.Lines(b) {
		word, _, _ := strings.Cut(string(line), " ")
		if n++; n%30 == 0 || slices.Contains(wanted, word) {
			out = append(out, line...)
		}
	}
	folder, err = os.MkdirTemp("", "sphinx")
	try(t, err)
	c.Dict = folder + "/thinned.dict"
	try(t, os.WriteFile(c.Dict, out, 0o600))
	return c
}

// speak writes the samples of an utterance, 20 ms at a time, and ends it.
func speak(t testing.TB, u asr.Stream, samples []int16) {
	t.Helper()
	for len(samples) > 0 {
		n := min(320, len(samples))
		if err := u.Write(samples[:n]); err != nil {
			t.Error(err)
			return
		}
		samples = samples[n:]
	}
	if err := u.End(); err != nil {
		t.Error(err)
	}
}

func recognize(t testing.TB, r *Recognizer, p asr.Params, samples []int16) (asr.Result, int) {
	t.Helper()
	u, err := r.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	speak(t, u, samples)
	return outcome(t, u)
}

func text(r asr.Result) string {
	var out []string
	for _, w := range r.Words {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

// The library would write a page to the standard error for every decoder it loads.
func TestTheLibraryIsSilent(t *testing.T) {
	librivox(t, "0930")
	var stderr bytes.Buffer
	c := exec.Command(os.Args[0], "-test.run=^TestPartialsGrowIntoTheFinal$")
	c.Stderr = &stderr
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Errorf("%d bytes on the standard error", stderr.Len())
	}
}
