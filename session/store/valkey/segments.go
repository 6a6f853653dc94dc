package valkey

import (
	"errors"
	"fmt"
	"steno/session/store/valkey/server"
	"strings"

	"github.com/valkey-io/valkey-go"
)

// segmentSize is the length of a segment in bytes: 8 s at 16 kHz and 16 bits. Its bytes, those of a second that follow while it
// is written to blob storage, a checkpoint and the events that are in no page (pageAfter) stay below 0.75 MiB of the server's memory.
const segmentSize = 256 << 10

// segment is an entry of a manifest: a range of the journal, or of the numbers of events, that is an object in blob storage.
type segment struct {
	start, end int64
	object     string
}

// String is the segment as the manifest has it, which parseSegment reads.
func (s segment) String() string {
	return server.Decimal(s.start) + " " + server.Decimal(s.end) + " " + s.object
}

func parseSegment(text string) (s segment, err error) {
	first, rest, _ := strings.Cut(text, " ")
	last, object, _ := strings.Cut(rest, " ")
	s.object = object
	if s.start, err = server.ParseInteger(first); err == nil {
		s.end, err = server.ParseInteger(last)
	}
	if err == nil && (s.object == "" || s.start < 0 || s.end <= s.start) {
		err = errors.New("not start, end and object")
	}
	if err != nil {
		return s, fmt.Errorf("read segment %q: %w", text, err)
	}
	return s, nil
}

// segmentName names an object after the place of its bytes and the claim, so that no other holder of the session ever
// overwrites it.
func segmentName(folder, nonce string, start, end int64) string {
	return fmt.Sprintf("%saudio/%015d-%d-%s", folder, start, end, nonce)
}

// parseSegments reads a manifest.
func parseSegments(r *server.Reader, m valkey.ValkeyMessage) (list []segment) {
	for _, text := range r.Texts(m) {
		s, err := parseSegment(text)
		r.Keep(err)
		list = append(list, s)
	}
	return list
}
