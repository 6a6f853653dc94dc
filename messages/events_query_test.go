package messages

import (
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"testing"
)

func TestParseEventsQuery(t *testing.T) {
	on, off := true, false
	for text, want := range map[string]*EventsQuery{
		"":                                       {},
		"from=0":                                 {From: "0"},
		"from=2-17&seq=true":                     {From: "2-17", Numbered: true},
		"session=a&session=b&session=a&ticket=x": {Sessions: []string{"a", "b"}},
		"receive_errors=1":                       {FlagChoice: FlagChoice{Errors: &on}},
		"receive_final_transcripts=false&receive_partial_transcripts=true": {
			FlagChoice: FlagChoice{FinalTranscripts: &off, PartialTranscripts: &on},
		},
		"from=-1":        nil,
		"from=x":         nil,
		"from=0-1":       nil,
		"from=1-":        nil,
		"from=1&from=2":  nil,
		"seq=perhaps":    nil,
		"receive_errors": {},
	} {
		values, err := url.ParseQuery(text)
		if err != nil {
			t.Fatal(err)
		}
		got, problem := ParseEventsQuery(values)
		if want == nil && problem == nil {
			t.Errorf("%q is accepted: %+v", text, got)
		}
		if want != nil && (problem != nil || !reflect.DeepEqual(got, want)) {
			t.Errorf("%q: %+v, %v, want %+v", text, got, problem, want)
		}
	}
	many := url.Values{}
	for i := range 101 {
		many.Add("session", strconv.Itoa(i))
	}
	if _, problem := ParseEventsQuery(many); problem == nil {
		t.Error("101 sessions are accepted")
	}
}

// Each of the nine flags is chosen by its own name and by no other.
func TestFlagChoice(t *testing.T) {
	for _, name := range flagNames {
		for _, on := range []string{"true", "false"} {
			q, problem := ParseEventsQuery(url.Values{name: {on}})
			if problem != nil || !q.Given() {
				t.Fatalf("%s: %v", name, problem)
			}
			all := Flags{true, true, true, true, true, true, true, true, true}
			changed := 0
			for _, base := range []Flags{{}, all} {
				if got := q.Over(base); got != base {
					changed++
				}
			}
			if changed != 1 {
				t.Errorf("%s=%s changes %d of the sets", name, on, changed)
			}
		}
	}
	if (FlagChoice{}).Given() || (FlagChoice{}).Over(SubscriberFlags()) != SubscriberFlags() {
		t.Error("no choice changes flags")
	}
}

func TestPositionReadsBack(t *testing.T) {
	for _, c := range [][2]int64{{1, 0}, {1, 7}, {3, 1 << 60}} {
		if epoch, seq, ok := ParsePosition(FormatPosition(c[0], c[1])); !ok || epoch != c[0] || seq != c[1] {
			t.Errorf("%v reads as %d, %d, %t", c, epoch, seq, ok)
		}
	}
	if epoch, list, ok := ParsePositions(FormatPosition(2, 7, 0, 1)); !ok || epoch != 2 ||
		!slices.Equal(list, []int64{7, 0, 1}) {
		t.Errorf("three positions read as %d, %v, %t", epoch, list, ok)
	}
	for _, bad := range []string{"", "1-", "1-2.", "1-.2", "1-2.x", "1-2.-3", "a-1", "-1"} {
		if _, _, ok := ParsePositions(bad); ok {
			t.Errorf("%q is a position", bad)
		}
	}
	if epoch, seq, ok := ParsePosition("42"); !ok || epoch != 0 || seq != 42 {
		t.Errorf("42 reads as %d, %d, %t", epoch, seq, ok)
	}
}
