package tier

import (
	"errors"
	"fmt"
	"strings"

	"github.com/valkey-io/valkey-go"

	"steno/session/store/valkey/server"
)

// SegmentSize is the length of a segment in bytes: 8 s at 16 kHz and 16 bits. Its bytes, those of a
// second that follow while it is written to blob storage, a checkpoint and the events that are in
// no page (pageAfter) stay below 0.75 MiB of the server's memory.
const SegmentSize = 256 << 10

// Segment is an entry of a manifest: a range of the journal, or of the numbers of events, that is
// an object in blob storage.
type Segment struct {
	Start, End int64
	Object     string
}

// String is the segment as the manifest has it, which parseSegment reads.
func (s Segment) String() string {
	return server.Decimal(s.Start) + " " + server.Decimal(s.End) + " " + s.Object
}

func parseSegment(text string) (s Segment, err error) {
	first, rest, _ := strings.Cut(text, " ")
	last, object, _ := strings.Cut(rest, " ")
	s.Object = object
	if s.Start, err = server.ParseInteger(first); err == nil {
		s.End, err = server.ParseInteger(last)
	}
	if err == nil && (s.Object == "" || s.Start < 0 || s.End <= s.Start) {
		err = errors.New("not start, end and object")
	}
	if err != nil {
		return s, fmt.Errorf("read segment %q: %w", text, err)
	}
	return s, nil
}

// SegmentName names an object after the place of its bytes and the claim, so that no other holder
// of the session ever overwrites it.
func SegmentName(folder, nonce string, start, end int64) string {
	return fmt.Sprintf("%saudio/%015d-%d-%s", folder, start, end, nonce)
}

// ParseSegments reads a manifest.
func ParseSegments(r *server.Reader, m valkey.ValkeyMessage) (list []Segment) {
	for _, text := range r.Texts(m) {
		s, err := parseSegment(text)
		r.Keep(err)
		list = append(list, s)
	}
	return list
}
