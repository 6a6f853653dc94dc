package gateway

import "steno/audio/audiotest"

var speech, resampled, interleaved = audiotest.Speech, audiotest.Resample, audiotest.Interleave
