package messages

import "net/http"

// ParsePatch reads a free JSON object that is to be merged into post_session_metadata. More than [MaxPatchBody] bytes
// are a Problem with status 413.
func ParsePatch(body []byte) (map[string]any, *Problem) {
	if len(body) > MaxPatchBody {
		return nil, &Problem{Status: http.StatusRequestEntityTooLarge, Message: "the body must not be larger than 64 KiB"}
	}
	return parseObject(body)
}
