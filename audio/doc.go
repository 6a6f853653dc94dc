// Package audio turns the bytes a client sends into what the rest of the program hears: mono blocks
// of 16-bit samples at 16 kHz, one channel each.
//
// # The way of the samples
//
// A stream is declared once by a [Format] and never changes it. It may have RIFF/WAVE headers,
// which an [Unwrapper] leaves out. After that, everything moves in ticks of 10 ms: each declared
// rate has a whole number of samples in a tick (80, 160, 320, 441 or 480), and each tick becomes
// exactly [TickSamples] samples at [Rate]. The caller gathers [Format.TickBytes] bytes and hands
// them to one [Front] per channel, whose Tick does, in this order:
//
//	decode     (encoding.go) picks the channel out of the interleaved bytes and brings every
//	           encoding to one scale: float64 in units of a 16-bit step, so that 24 and 32 bit
//	           keep what lies below the point
//	resample   (resample.go) a polyphase low-pass to 16 kHz; nothing at all at that rate
//	enhance    (enhance.go) log-spectral noise reduction, only when asked for
//	round      (front.go) to int16, saturating
//
// Since the tick is fixed by the audio and not by the network, how a stream was cut into messages
// cannot change a sample. Resampling and enhancement look ahead, so their output lags by
// [Front.Delay] samples: at a stream's end the caller pushes silence until the last real sample is
// out. Between two ticks the whole state of a Front can be saved and restored in another process;
// the Front there continues bit for bit ([Front.AppendState]).
//
// 16-bit audio at 16 kHz passes a Front unchanged when it is not enhanced.
//
// # Files
//
// [WAVHeader] makes the header of a recording that is served in its declared format. [OpenWAV]
// reads a WAV file as the stream of bytes that a client would have sent.
//
// [DistinctChannels] finds the channels of a recording that hold the same, and [Pick] leaves them
// out.
//
// # Threads
//
// A Front belongs to one goroutine at a time. It starts none and its Tick allocates nothing. Filter
// coefficients and other tables are computed once per process, on first use, and only read
// thereafter.
package audio

// Rate is the sample rate in Hz of all audio inside the program.
const Rate = 16000

// TickSamples is the number of samples of one tick (10 ms) at [Rate].
const TickSamples = Rate / ticksPerSecond

const ticksPerSecond = 100
