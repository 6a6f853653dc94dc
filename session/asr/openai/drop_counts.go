package openai

// Resumed counts where nothing was dropped: the end of an utterance that the server had left out
// was asked for again.
const Resumed = "resumed"

// Dropped returns how often parts of answers were dropped, by reason. Any goroutine may call it.
func (r *Recognizer) Dropped() map[string]int64 { return r.dropped.All() }

// PartialsDropped returns how many partials were left out, by reason. Any goroutine may call it.
func (r *Recognizer) PartialsDropped() map[string]int64 { return r.partialsDropped.All() }
