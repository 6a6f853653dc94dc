package messages

import (
	"encoding/json"
	"math"
	"strconv"
)

// AudioTrack selects tracks of a file by an index from 0, as digits, or all of them, as "all";
// empty: the default track. In JSON an index is a number.
type AudioTrack string

// AllTracks selects all tracks.
const AllTracks AudioTrack = "all"

// maxTrack is the greatest index.
const maxTrack = 999

// Index returns the index; ok is false where there is none.
func (t AudioTrack) Index() (index int, ok bool) {
	index, err := strconv.Atoi(string(t))
	return index, err == nil
}

// MarshalJSON writes a number or a string.
func (t AudioTrack) MarshalJSON() ([]byte, error) {
	if index, ok := t.Index(); ok {
		return strconv.AppendInt(nil, int64(index), 10), nil
	}
	return json.Marshal(string(t))
}

// parseTrack reads what a body has.
func parseTrack(v any) (t AudioTrack, ok bool) {
	if v == string(AllTracks) {
		return AllTracks, true
	}
	f, ok := asNumber(v)
	if !ok || f != math.Trunc(f) || f < 0 || f > maxTrack {
		return "", false
	}
	return AudioTrack(strconv.Itoa(int(f))), true
}
