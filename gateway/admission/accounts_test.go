package admission

import (
	"testing"
	"time"

	"steno/gateway/web"
	"steno/session/asr"
)

// admitOf admits sessions of an account until one is refused, at most so many, and returns how
// many.
func (m *measured) admitOf(account string, most int) int {
	m.Helper()
	for n := range most {
		s, err := m.Admit(Holder{account, account}, Target{"e", true}, 1, 0)
		if err != nil {
			if status := web.AsProblem(err).Status; status != 503 {
				m.Errorf("refused with %d", status)
			}
			return n
		}
		s.Connect(true)
		s.Speak(true)
	}
	return most
}

// An account that has an engine to itself has all of it. Others are admitted up to an equal share
// all the same, also while finals wait, and no further.
func TestAccountsShareAnEngine(t *testing.T) {
	inMeasured(t, Config{}, func(m *measured) {
		for _, c := range []struct {
			account string
			want    int
		}{{"heavy", 8}, {"light", 4}, {"heavy", 0}, {"light", 0}, {"third", 2}} {
			if n := m.admitOf(c.account, 100); n != c.want {
				m.Errorf("%d sessions of the account %s are admitted, want %d", n, c.account, c.want)
			}
		}
		m.decode(2*time.Second, 8, 0.15, 0, time.Second)
		if heavy, fourth := m.admitOf("heavy", 100), m.admitOf("fourth", 100); heavy != 0 || fourth != 1 {
			m.Errorf("while finals wait %d sessions of the first account are admitted, %d of another", heavy, fourth)
		}
	})
}

// Partials of the account with most speakers are left out first.
func TestPartialsThinOutByAccount(t *testing.T) {
	inMeasured(t, Config{}, func(m *measured) {
		m.admitOf("heavy", 7)
		m.admitOf("light", 1)
		m.decode(20*time.Second, 0, 0, 0, 0)
		var o opened
		r := m.Recognizer(&o, "e")
		with := map[string]int{}
		for range 100 {
			for _, account := range []string{"heavy", "light"} {
				if _, err := r.Open(m.Context(), asr.Params{Partials: true, Party: account}); err != nil {
					m.Fatal(err)
				}
				if o.params[len(o.params)-1].Partials {
					with[account]++
				}
			}
		}
		if with["light"] != 100 || with["heavy"] < 35 || with["heavy"] > 50 {
			m.Errorf("partials of 100 utterances each: %v", with)
		}
	})
}

func TestShareOf(t *testing.T) {
	speakers := map[string]float64{"a": 7, "b": 1, "c": 2}
	for account, want := range map[string]float64{"a": 2. / 7, "b": 1, "c": 1} {
		if got := shareOf(account, speakers, 0.5); got != want {
			t.Errorf("%s has %v, want %v", account, got, want)
		}
	}
	for _, one := range []map[string]float64{{"a": 7}, {}} {
		if got := shareOf("a", one, 0.3); got != 0.3 {
			t.Errorf("one account alone has %v", got)
		}
	}
}
