package claims

import (
	"testing"

	"steno/session/store/valkey/server"
	"steno/session/store/valkeytest"
)

// FuzzAnswers checks that no answer of a server breaks the reading of commits and accounts' logs,
// and that a signal that can be read can be written again as it is.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte("*4\r\n:1\r\n+session\r\n:7\r\n*6\r\n+kind\r\n+3\r\n+key\r\n+a\r\n+body\r\n+{}\r\n"), "7 3 a\n{}")
	f.Add([]byte(":5000\r\n"), "7 3 \n")
	f.Add([]byte("-LOST\r\n"), "-1 x y\n")
	f.Fuzz(func(t *testing.T, answer []byte, signal string) {
		if s, ok := parseSignal(signal); ok {
			again, ok := parseSignal(signalText(s.After, s.Event))
			same := again.After == s.After && again.Event.Key == s.Event.Key &&
				string(again.Event.Body) == string(s.Event.Body)
			if !ok || !same {
				t.Errorf("signal %+v, written again %+v", s, again)
			}
		}
		m, err := valkeytest.Answer(t, answer)
		if err != nil {
			return
		}
		g := groupCommit{life: t.Context()}
		if a := g.readAnswer(m, m); a.err == nil && a.word == "" && !m.IsInt64() && string(answer) != "+\r\n" {
			t.Errorf("%q: %+v", answer, a)
		}
		var r server.Reader
		readEntry(m, &r)
	})
}
