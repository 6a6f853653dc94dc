// Package media decodes recordings that strangers hand in. Debian's ffmpeg and ffprobe do it, each
// in a subprocess of its own that is bounded in memory, processor time and open files, cannot write
// a file, is given no environment, and is in a sandbox: it can read nothing but itself, its
// libraries and the one recording, and has no network.
//
// # What comes out
//
// A [Stream] returns raw bytes of an audio.Format that the rest of the program understands, with
// all channels of the selected audio tracks, see [Track]. Their first byte is the beginning of the
// presentation:
//
//   - WAV that audio.OpenWAV takes (PCM, A-law, mu-law at a declared rate; 32-bit float as 32-bit
//     PCM) comes byte for byte as a client would stream it live, without a subprocess. At any other
//     rate ffmpeg is given its bare samples.
//   - Everything else comes as 16-bit PCM, or 32-bit where the source has more than 16 bits a
//     sample; lossy codecs count as 16. A rate of 8, 16, 32, 44.1 or 48 kHz is kept, one below 16
//     kHz is raised to 16 kHz, any other is brought to 48 kHz, so that nothing below 8 kHz is lost
//     and the program's own filter does the rest.
//
// # What is believed
//
// Nothing of the file's name. Only the formats of a fixed list are tried, none of which can refer
// to other files, and only files can be opened. Archives and chance resemblance to MP3 are refused.
// Durations in headers serve to refuse overlong recordings early; the true one is what was decoded.
// A truncated recording is decoded as far as it goes. A hole in the time stamps of a quarter of a
// second to an hour, such as that of a browser that paused, is silence, as is the time before the
// first frame.
//
// # Sandboxes
//
// Landlock and a filter of system calls (package [steno/audio/process/confine]) are used where the
// kernel has them, in containers too. For them the program starts itself again: its main must call
// confine.Enter first, and set Config.Enters. Otherwise bubblewrap is used. It needs namespaces for
// users, which most containers do not allow, and the kernel takes its time to remove network
// namespaces: where many files are decoded, starting one more may take seconds. Where neither works
// there is no decoder, unless NoSandbox is asked for. Then what is left are the lists of formats
// and protocols, the limits, and the user's own rights: a decoder taken over by an attacker could
// read what that user can read.
//
// # What goes back in
//
// An [Encoder] makes FLAC of such bytes, in a subprocess of the same bounds.
//
// # Processes
//
// A Stream, or an Encoder, belongs to one goroutine. The caller that opens it must close it; Close
// returns when its processes have ended. There are no temporary files. Begin has a goroutine that
// tries the sandbox, for which Wait waits.
package media
