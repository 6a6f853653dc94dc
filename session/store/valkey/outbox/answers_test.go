package outbox

import (
	"testing"

	"steno/session/store/valkeytest"
)

// FuzzAnswers checks that no answer of a server breaks the reading of deliveries.
func FuzzAnswers(f *testing.F) {
	delivery := "*16\r\n+id\r\n+acme\r\n+job\r\n+live.start\r\n+http://x\r\n+POST\r\n+due\r\n" +
		":1\r\n_\r\n:1\r\n:0\r\n:0\r\n+\r\n:0\r\n:1\r\n$2\r\n{}\r\n"
	f.Add([]byte("*2\r\n+next\r\n" + delivery))
	f.Add([]byte(delivery))
	f.Add([]byte("*1\r\n+\r\n"))
	f.Fuzz(func(t *testing.T, answer []byte) {
		m, err := valkeytest.Answer(t, answer)
		if err != nil {
			return
		}
		page, last, err := decodePage(m)
		if err == nil && len(page) > 0 && len(answer) < 16*len(page) || err != nil && len(page) > 0 {
			t.Errorf("%d deliveries, %q, %v", len(page), last, err)
		}
	})
}
