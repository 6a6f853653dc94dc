package messages

// What a client may send in one message.
const (
	MaxBinaryFrame   = 4 << 20  // bytes of a binary frame
	MaxTextFrame     = 32 << 20 // bytes of a text frame
	MaxTextMessage   = 2 << 20  // bytes of a text frame without its audio
	MaxRequestBody   = 1 << 20  // bytes of the body that opens a session
	MaxPatchBody     = 64 << 10 // bytes merged into post_session_metadata
	MaxMetadataChars = 2000     // characters of custom_metadata as JSON
	MaxFilterValues  = 64       // values of custom_metadata that a list is filtered by, with the objects among them

	maxDepth     = 32               // arrays and objects within each other
	maxFaults    = 50               // validation errors listed
	maxExcerpt   = 40               // characters of a client's text in an answer
	maxWarnings  = 32               // warnings kept of a request
	maxFieldName = 120              // bytes of a field's path in a warning
	maxHeader    = 1024             // bytes of a header that names fields
	maxMessage   = 1 << 20          // bytes of a message that all clients can take
	maxData      = maxMessage - 512 // of it, what follows the envelope
)
