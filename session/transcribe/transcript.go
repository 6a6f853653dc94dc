package transcribe

import (
	"context"
	"io"
	"runtime"
	"time"

	"steno/audio"
	"steno/messages"
	"steno/session"
	"steno/session/addon"
	"steno/session/addon/diarization"
	"steno/session/asr"
)

// Job specifies what is wanted of a recording and what it is done with. It is not changed by the
// stages, and may be copied.
type Job struct {
	ID         string
	Request    *messages.PreRecordedRequest // with its defaults; not changed while the job runs
	Recognizer asr.Recognizer
	Party      string // whose recording it is; see asr.Params
	// Diarizer attributes the speech of one channel to speakers; nil: what is embedded does it.
	Diarizer asr.Diarizer
	// Addons are the add-ons that the request may ask for.
	Addons *addon.Table
	// EngineGrace is how long an engine may stay away before an utterance is dropped; 0: the
	// session's default.
	EngineGrace time.Duration
	// MaxAudio is the longest recording; 0: the session's default.
	MaxAudio time.Duration
	// Unheard is called for each final without words of speech, with the name of its engine; nil:
	// it is not.
	Unheard func(engine string)
	// Noise is called for each final whose words are left out since hardly any speech was heard,
	// with the name of its engine; nil: it is not.
	Noise func(engine string)
	// Heard is called with how far the recording was read for its recognition, in seconds; nil: it
	// is not.
	Heard func(seconds float64)
	// Final is called with each final as it is recognized, in the order of the session's log, with
	// the channel number of the file. It must not block. Nil: it is not called.
	Final func(messages.Utterance)
}

// Transcript is what is said in a recording. Its utterances have the channel numbers of the file.
type Transcript struct {
	messages.LiveResult
	// Diarization states why the utterances have no speakers though they are wanted; nil: they
	// have, or none are wanted.
	Diarization *diarization.Failure

	recording *Recording
	bytes     int64    // of the decoded recording, all channels
	audio     *sampler // what speakers are recognized by; nil: not wanted, or already used
}

// Transcribe recognizes what is said in a recording. It reads the recording to its end.
func (j Job) Transcribe(ctx context.Context, r *Recording) (Transcript, error) {
	read := &counter{from: r.stream, format: r.Format, heard: j.Heard}
	samples, format := r.pick(read)
	var speech *sampler
	if j.Request.Diarization {
		var err error
		if speech, err = newSampler(format, maxBuffered); err != nil {
			return Transcript{}, err
		}
		samples = io.TeeReader(samples, speech)
	}
	config := j.session(format)
	if j.Final != nil {
		config.Sinks = []session.Sink{finals{j.Final, r}}
	}
	result, err := session.Replay(ctx, config, samples)
	if err != nil {
		return Transcript{}, err
	}
	result.Transcription.Utterances = Divide(result.Transcription.Utterances)
	r.Renumber(result.Transcription.Utterances)
	return Transcript{LiveResult: result, recording: r, bytes: read.n, audio: speech}, nil
}

// finals is a sink that hands the finals of a recording on.
type finals struct {
	final func(messages.Utterance)
	of    *Recording
}

// Wants implements session.Sink.
func (finals) Wants() messages.Filter { return messages.FilterOf(messages.KindFinal) }

// Send implements session.Sink.
func (f finals) Send(e messages.Event) {
	t, ok := e.Message.(messages.Transcript)
	if !ok {
		return
	}
	one := []messages.Utterance{t.Utterance}
	f.of.Renumber(one)
	f.final(one[0])
}

// session configures the session that recognizes the recording. It does what is done to words as
// they come, vocabulary and spelling; all other add-ons follow when the whole text is known.
func (j Job) session(f audio.Format) session.Config {
	request := j.Request.Live()
	request.Encoding, request.BitDepth, request.SampleRate, request.Channels = f.Encoding.String(), f.BitDepth,
		f.SampleRate, f.Channels
	return session.Config{
		ID: j.ID, Request: request, Recognizer: j.Recognizer, Priority: asr.Replay, Party: j.Party,
		Pending:     pendingUtterances(),
		EngineGrace: j.EngineGrace, MaxAudio: j.MaxAudio, Addons: addon.NewLive(request, j.Addons), Unheard: j.Unheard,
		Noise: j.Noise,
	}
}

// pendingUtterances is how many utterances of a channel may be under recognition: enough that
// another one waits for each slot of the engine, however different their lengths are.
func pendingUtterances() int { return max(16, 4*runtime.NumCPU()) }

// counter counts the bytes read, and tells how long that much audio is.
type counter struct {
	from   io.Reader
	format audio.Format
	heard  func(seconds float64) // may be nil
	n      int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	if c.heard != nil {
		c.heard(c.format.Seconds(c.n))
	}
	return n, err
}
