package session

import "steno/audio/audiotest"

var voice, whiteNoise, interleave = audiotest.Voice, audiotest.WhiteNoise, audiotest.PCM
