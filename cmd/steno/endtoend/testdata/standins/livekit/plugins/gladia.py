"""Stands in for LiveKit's plugin."""

from conversation import transcribe


class STT:
    def __init__(self, *, api_key, base_url):
        self._key, self._url = api_key, base_url

    def stand_in(self, pcm):
        """Transcribes 16-bit samples of 16 kHz as a whole clip, in pieces of 150 ms."""
        request = {
            "encoding": "wav/pcm", "bit_depth": 16, "sample_rate": 16000, "channels": 1, "model": "solaria-1", "endpointing": 0.05,
            "maximum_duration_without_endpointing": 5, "language_config": {"languages": [], "code_switching": True},
            "messages_config": {"receive_partial_transcripts": True, "receive_final_transcripts": True},
        }  # fmt: skip
        return transcribe(f"{self._url}?region=eu-west", self._key, request, [pcm[at : at + 4800] for at in range(0, len(pcm), 4800)])
