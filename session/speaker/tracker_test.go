package speaker

import (
	"bytes"
	"errors"
	"testing"
)

var people = []person{man, woman, child}

// visits is the order in which people speak.
var visits = []int{0, 1, 0, 0, 2, 1, 2, 0, 1, 1, 2, 0}

func TestTracker(t *testing.T) {
	k := NewTracker(0)
	for i, who := range visits {
		if got := k.Add(people[who].speech(3, uint64(i))); got != who {
			t.Errorf("utterance %d is speaker %d's, not %d's", i, got, who)
		}
	}
}

func TestTrackerLimit(t *testing.T) {
	k := NewTracker(2)
	for i, who := range visits {
		if got := k.Add(people[who].speech(2, uint64(i))); got > 1 {
			t.Errorf("utterance %d is speaker %d's", i, got)
		}
	}
}

func TestTrackerShortUtterance(t *testing.T) {
	k := NewTracker(0)
	for _, x := range [][]int16{nil, make([]int16, 100), make([]int16, rate), man.speech(3, 1), child.speech(0.5, 2),
		nil} {
		if got := k.Add(x); got != 0 {
			t.Errorf("%d samples are speaker %d's", len(x), got)
		}
	}
}

// A restored tracker continues with the same numbers, and comes to the same state.
func TestTrackerRestore(t *testing.T) {
	k := NewTracker(0)
	for i, who := range visits {
		state := k.AppendState([]byte("before"))
		other := NewTracker(0)
		rest, err := other.RestoreState(append(state[len("before"):], "after"...))
		if err != nil || string(rest) != "after" {
			t.Fatalf("rest %q, error %v", rest, err)
		}
		x := people[who].speech(2, uint64(i))
		if a, b := k.Add(x), other.Add(x); a != b {
			t.Fatalf("utterance %d: %d, restored %d", i, a, b)
		}
		if !bytes.Equal(k.AppendState(nil), other.AppendState(nil)) {
			t.Fatalf("utterance %d: states differ", i)
		}
	}
	if n := len(k.AppendState(nil)); n > 2000*3 {
		t.Errorf("a state of %d bytes", n)
	}
}

func FuzzRestoreState(f *testing.F) {
	k := NewTracker(0)
	f.Add(k.AppendState(nil))
	k.Add(man.speech(2, 1))
	f.Add(k.AppendState(nil))
	k.Add(woman.speech(2, 2))
	whole := k.AppendState(nil)
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(append([]byte{'S', 'P', 1, 0, 255, 255, 255, 255}, whole...))
	x := child.speech(1.5, 3)
	f.Fuzz(func(t *testing.T, b []byte) {
		k := NewTracker(0)
		rest, err := k.RestoreState(b)
		if err != nil {
			if !errors.Is(err, ErrState) || !bytes.Equal(rest, b) || len(k.speakers) > 0 {
				t.Fatalf("after an error: %v", err)
			}
			return
		}
		if !bytes.Equal(append(k.AppendState(nil), rest...), b) {
			t.Fatal("not what was restored")
		}
		if who := k.Add(x); who < 0 || who >= MaxTracked {
			t.Fatalf("speaker %d", who)
		}
	})
}
