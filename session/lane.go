package session

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"steno/audio"
	"steno/messages"
	"steno/session/asr"
	"steno/session/internal/samples"
	"steno/session/panics"
	"steno/vad"
)

// lane processes one channel, from ticks of raw audio to utterances under recognition. Only the
// writer uses it, except for the fields that state otherwise.
type lane struct {
	run      *run
	channel  int
	enhance  bool
	params   asr.Params
	language languageLock
	speakers speakerLabels
	wishes

	front      *audio.Front
	detector   *vad.Detector
	endpointer *vad.Endpointer
	by         messages.EndedBy // what ends an utterance that ends now; 0: silence that was sent
	delay      int64            // samples by which the front's output lags
	silences   *silenceMarks
	gaps       *audio.Gaps

	ticks       int64 // of the recording, consumed so far
	silentTicks int64 // of inserted silence, consumed so far
	buffer      samples.Buffer
	history     *pastAudio // makes samples again that were dropped; nil: they cannot be made again
	past        *pastAudio // is history where it may be read at any time; nil: the buffer holds all that may be needed
	contextual  bool       // utterances are given context
	chain       chain      // of the newest utterances
	voicing     voicing    // of the newest ticks
	spoken      int64      // ticks of the running utterance in which speech was heard
	numbers     int64      // of the next utterance
	running     *utterance // nil in silence
	fed         int64      // position up to which the running utterance has its audio
	last        int64      // position of the recording's end, once it is stopped

	queue     chan *utterance // to the collector; bounded: a full one makes the writer wait
	collected bool            // the collector runs; guarded by collectors.mu

	inFlight  atomic.Int64 // utterances begun and not settled
	settledTo atomic.Int64 // position up to which all utterances are settled

	restored bool  // from a checkpoint, and no tick was processed since
	skipped  int64 // by the checkpoint: bytes of the journal before the lane's position that are no audio
	resumeAt int64 // position at which a restored lane's utterance continues after a forced cut; -1: none

	turns turns // the speech events; used by the collector as well
}

func newLane(r *recording, channel int) (*lane, error) {
	f, c := r.format, &r.cfg
	front, err := audio.NewFront(f, channel, c.Request.PreProcessing.AudioEnhancer)
	if err != nil {
		return nil, fmt.Errorf("channel %d: %w", channel, err)
	}
	history := newPastAudio(r, channel, front)
	l := &lane{
		run:        r.run,
		channel:    channel,
		enhance:    c.Request.PreProcessing.AudioEnhancer,
		params:     recognition(c),
		language:   newLanguageLock(c.Request.LanguageConfig),
		speakers:   newSpeakerLabels(c.Request, channel),
		wishes:     newWishes(c),
		front:      front,
		detector:   vad.NewDetector(),
		endpointer: vad.NewEndpointer(newWishes(c).ends),
		delay:      int64(front.Delay()),
		silences:   &r.silences,
		gaps:       r.intake.gaps(),
		history:    history,
		chain:      noChain,
		queue:      make(chan *utterance, c.Pending),
		last:       math.MaxInt64,
		resumeAt:   -1,
	}
	l.turns = newTurns(l)
	if c.Ledger.Local() {
		l.past = history
	}
	l.contextual = history != nil && asr.TakesContext(c.Recognizer, c.Request.LanguageConfig.Languages)
	return l, nil
}

// recognition are the recognition parameters that all utterances of the session share.
func recognition(c *Config) asr.Params {
	wanted := c.Request.SocketFilter() | c.Request.CallbackFilter()
	return asr.Params{
		Partials: wanted.Has(messages.KindPartial) && c.Priority == asr.Live,
		Priority: c.Priority, Party: c.Party, Recorded: c.Priority == asr.Replay,
	}
}

// paramsOf are the recognition parameters of an utterance.
func (l *lane) paramsOf(u *utterance) asr.Params {
	p := l.language.apply(l.params, u.number)
	p.Vocabulary, p.Context = u.vocabulary.terms(p), u.context
	return p
}

// tick runs one tick of raw audio of all channels through the front end, the detector and the
// endpointer. It is counted as one of the recording or, where inserted is set, of inserted silence.
func (l *lane) tick(raw []byte, inserted bool) error {
	if err := l.resume(); err != nil {
		return err
	}
	if inserted {
		l.silentTicks++
	} else {
		l.ticks++
	}
	block := l.buffer.Extend(audio.TickSamples)
	l.front.Tick(raw, block)
	p := l.detector.Frame(block)
	l.hear(p)
	if err := l.apply(l.endpointer.Frame(block, p)); err != nil {
		return err
	}
	l.wishes.watch(l)
	l.buffer.Drop(l.needed())
	if l.running == nil {
		l.buffer.Rest()
	}
	if l.enhance && !inserted && l.ticks%reportEvery == 0 {
		l.report()
	}
	return nil
}

// needed returns the position of the oldest sample that is still needed, for the context or the
// start of an utterance.
func (l *lane) needed() int64 { return min(l.oldestContext(), l.oldest()) }

// oldest returns the position of the oldest sample with which an utterance may start. In silence
// none is held if the samples can be computed from the journal.
func (l *lane) oldest() int64 {
	switch {
	case l.running != nil:
		return min(l.fed, l.endpointer.Keep())
	case l.past != nil:
		return l.buffer.End()
	}
	return l.endpointer.Keep()
}

// recall computes the samples from the position on that the buffer has dropped. A failure to read
// them is fatal to the session.
func (l *lane) recall(past *pastAudio, from int64) error {
	if from >= l.buffer.Start() || past == nil {
		return nil
	}
	samples, err := past.samples(from/audio.TickSamples, l.buffer.Start()/audio.TickSamples)
	if err != nil {
		l.run.failOn(err)
		return cmp.Or(l.run.fatal(), ErrAbandoned)
	}
	l.buffer.Prepend(samples)
	return nil
}

// apply carries out what the endpointer decided. After a forced cut the next utterance starts
// immediately, without events.
func (l *lane) apply(st vad.Step) error {
	if st.Started {
		if err := l.recall(l.past, l.contextFrom(st.From)); err != nil {
			return err
		}
		if err := l.begin(st.From, st.Onset, false); err != nil {
			return err
		}
		l.turns.start(l.running, l.seconds(st.Onset))
	}
	if l.running == nil {
		return nil
	}
	if st.Upto < l.fed {
		l.running.shorten(st.Upto - l.running.from)
	}
	if st.Upto > l.fed {
		l.secure(st.Upto)
		l.running.write(l.buffer.Slice(l.fed, st.Upto), l.run.arrival)
		l.fed = st.Upto
	}
	if st.Rest {
		l.running.pause()
	}
	if !st.Ended {
		return nil
	}
	st.End = max(min(st.End, l.last), l.running.onset)
	if !st.Forced {
		l.turns.end(l.running, l.seconds(st.End))
	}
	l.finish(st)
	if !st.Forced {
		return nil
	}
	return l.begin(st.Upto, st.Upto, true)
}

// secure sets how much of the running utterance's audio a forced cut at the position would leave.
func (l *lane) secure(upto int64) {
	sure := int64(-1)
	if keep := l.endpointer.Keep(); keep < upto {
		sure = keep - l.running.from
	}
	l.running.secure(sure)
}

// begin starts an utterance whose audio starts at from. continues marks one that follows a forced
// cut.
func (l *lane) begin(from, onset int64, continues bool) error {
	u := &utterance{
		run:        l.run,
		id:         messages.UtteranceID(l.channel, l.numbers),
		number:     l.numbers,
		from:       from,
		onset:      onset,
		continues:  continues,
		params:     l.params,
		vocabulary: l.vocabulary,
		rewrite:    l.rewrite,
		sure:       -1,
	}
	l.turns.report(u, messages.SpeechBegan, onset)
	u.context = l.follow(from)
	l.numbers++
	l.running, l.fed, l.spoken = u, from, l.spokenSince(from)
	// otherwise an engine is asked once an earlier utterance has its final
	if !l.language.undecided() || l.inFlight.Load() == 0 {
		u.params = l.paramsOf(u)
		l.run.opened = u.begin(l.run.opened)
	}
	l.inFlight.Add(1)
	return l.run.collectors.queue(l, u)
}

// finish completes the running utterance's audio and hands it the checkpoint from which the lane
// can be restored.
func (l *lane) finish(st vad.Step) {
	u := l.running
	l.running, l.chain.end = nil, st.Upto
	var next *int64
	if st.Forced {
		next = &st.Upto
		l.spoken -= l.spokenSince(st.Upto)
	}
	l.hinted = false
	by := cmp.Or(l.by, messages.EndedBySilence)
	if st.Forced {
		by = messages.EndedByForce
	}
	u.by.Store(int32(by))
	l.turns.report(u, messages.SpeechEnded, st.End)
	if by == messages.EndedByDiscard {
		drop(u)
	}
	u.end(st.End, l.spoken, l.appendState(nil, next))
}

// settled is called by the collector when an utterance has its final, or will have none.
func (l *lane) settled(u *utterance) {
	l.settledTo.Store(u.from + u.samples())
	u.forget()
	l.turns.done(u)
	l.turns.report(u, messages.SpeechSettled, l.settledTo.Load())
	l.inFlight.Add(-1)
}

// left returns how many samples before the position in the recording wait for their final.
func (l *lane) left(position int64) int64 {
	if l.inFlight.Load() == 0 {
		return 0
	}
	return max(position-l.silences.recorded(l.settledTo.Load()), 0)
}

// close sets where the recording ends, in samples. Ticks beyond it may still follow: the last one
// is filled up, and the front end lags.
func (l *lane) close(length int64) {
	l.last = length + l.silences.silentTicks()*audio.TickSamples + l.delay
}

// end is called once, after the last tick. It flushes the front end and ends the running utterance.
// After a panic the audio in the front end is lost, and the utterance ends with the audio it has.
func (l *lane) end(ticks int64) error {
	err := panics.Catch(func() error { return l.flush(ticks) })
	if u := l.running; u != nil && panics.In(err) != nil {
		l.running = nil
		_ = panics.Try(func() { u.end(l.fed, l.spoken, nil) }) // err has the panic that counts
	}
	return err
}

// lag is the number of ticks by which the front end lags.
func (l *lane) lag() int64 { return (l.delay + audio.TickSamples - 1) / audio.TickSamples }

// flush runs silence through the front end until the last of ticks ticks is out. A lane may have
// had some of the silence before a restart.
func (l *lane) flush(ticks int64) error {
	if err := l.resume(); err != nil {
		return err
	}
	silence := silentTick(l.run.format)
	for l.ticks < ticks+l.lag() {
		if err := l.tick(silence, false); err != nil {
			return err
		}
	}
	l.by = messages.EndedByStop
	return l.apply(l.endpointer.Finish())
}

// reportEvery is the interval, in ticks of audio, at which an enhanced lane reports what the
// enhancer does.
const reportEvery = 500

// report emits the enhancer's noise and gain levels.
func (l *lane) report() {
	noise, gain, ok := l.front.NoiseReport()
	if !ok {
		return
	}
	key := messages.Key{Kind: messages.KindPreProcessing, Subject: fmt.Sprintf("%02d_%d", l.channel, l.ticks)}
	l.run.emit(key, messages.PreProcessing{
		Channel: l.channel,
		Time:    messages.Seconds(l.ticks * audio.TickSamples),
		Step:    "audio_enhancer",
		NoiseDB: round(noise),
		GainDB:  round(gain),
	})
}

// seconds is the client's time of a position in the lane: without the delay of the front end and
// without the inserted silence.
func (l *lane) seconds(position int64) float64 {
	return messages.Seconds(l.silences.recorded(max(position-l.delay, 0)))
}

// inSamples is the nearest count of samples to a time in seconds.
func inSamples(seconds float64) int64 { return int64(seconds*asr.Rate + 0.5) }

// voicing records in which of a lane's newest ticks speech was heard. It reaches back as far as an
// utterance starts before it is detected, or a forced cut is placed before it is made.
type voicing [4]uint64

// voicingTicks is how many ticks it remembers.
const voicingTicks = 4 * 64

// push adds a tick.
func (v *voicing) push(speech bool) {
	for i := len(v) - 1; i > 0; i-- {
		v[i] = v[i]<<1 | v[i-1]>>63
	}
	v[0] <<= 1
	if speech {
		v[0] |= 1
	}
}

// newest returns in how many of the newest n ticks speech was heard.
func (v *voicing) newest(n int64) int64 {
	n = min(max(n, 0), voicingTicks)
	count := 0
	for i := range v {
		here := min(max(n-int64(i)*64, 0), 64)
		count += bits.OnesCount64(v[i] & (1<<here - 1))
	}
	return int64(count)
}

// spokenSince returns in how many ticks of the lane since the position speech was heard.
func (l *lane) spokenSince(position int64) int64 {
	return l.voicing.newest(l.ticks + l.silentTicks - position/audio.TickSamples)
}

// hear records whether speech was heard in a tick of probability p. It uses the default threshold
// and not that of the request, at whose lowest value all is speech.
func (l *lane) hear(p float32) {
	speech := p >= vad.DefaultThreshold
	l.voicing.push(speech)
	if speech && l.running != nil {
		l.spoken++
	}
}
