"""Stands in for pipecat's service."""

from base64 import b64encode

from conversation import transcribe


class GladiaSTTService:
    def __init__(self, *, api_key, url):
        self._key, self._url = api_key, url

    def stand_in(self, pcm):
        """Transcribes 16-bit samples of 16 kHz: in Base64, after an empty chunk that keeps the connection alive."""
        request = {
            "encoding": "wav/pcm", "bit_depth": 16, "sample_rate": 16000, "channels": 1, "model": "solaria-1",
            "maximum_duration_without_endpointing": 5, "messages_config": {"receive_partial_transcripts": True, "receive_acknowledgments": True},
        }  # fmt: skip
        chunks = [b"", *(pcm[at : at + 3200] for at in range(0, len(pcm), 3200))]
        messages = [{"type": "audio_chunk", "data": {"chunk": b64encode(chunk).decode()}} for chunk in chunks]
        return transcribe(f"{self._url}?region=eu-west", self._key, request, messages)
