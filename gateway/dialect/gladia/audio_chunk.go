package gladia

import "steno/gateway/dialect"

// plainChunk finds the audio of an audio_chunk of the ordinary shape,
// {"type":"audio_chunk","data":{"chunk":"…"}} in either order, without escapes or further fields.
// Whatever else it may be, it is not for this reader: ok is false.
func plainChunk(text []byte) (chunk []byte, ok bool) {
	typed, filled := false, false
	ok = dialect.Plain(text, func(object, name, value []byte) bool {
		switch {
		case object == nil && string(name) == keyType && !typed:
			typed = string(value) == typeAudioChunk
			return typed
		case string(object) == keyData && string(name) == keyChunk && !filled:
			chunk, filled = value, true
			return true
		}
		return false
	})
	return chunk, ok && typed && filled
}
