"""Transcribes a recording through the public Python client library, live and as a recorded file, and prints what it learns
as one line of JSON.

The only argument is a JSON object:
  url, key   address of the gateway and API key
  raw, wav   paths of the recording: samples of 16 kHz, 16 bit, mono; and the same as a file
"""

import json
import sys
import threading

from gladiaio_sdk import GladiaClient
from gladiaio_sdk.v2.live.generated_types import (
    LiveV2InitRequest,
    LiveV2LanguageConfig,
    LiveV2MessagesConfig,
    LiveV2PostProcessingConfig,
)

task = json.loads(sys.argv[1])
client = GladiaClient(api_key=task["key"], api_url=task["url"])

session = client.live_v2().start_session(
    LiveV2InitRequest(
        encoding="wav/pcm",
        sample_rate=16000,
        bit_depth=16,
        channels=1,
        endpointing=0.3,
        language_config=LiveV2LanguageConfig(languages=["en"]),
        messages_config=LiveV2MessagesConfig(
            receive_partial_transcripts=True, receive_lifecycle_events=True
        ),
        post_processing=LiveV2PostProcessingConfig(summarization=True, chapterization=True),
    )
)
finals, types, errors = [], [], []
ended = threading.Event()
code = None


@session.on("message")
def on_message(message):
    types.append(message.type)
    if message.type == "transcript" and message.data.is_final:
        finals.append(message.data.utterance.text)


@session.on("error")
def on_error(error):
    errors.append(str(error))


@session.once("ended")
def on_ended(message):
    global code
    code = message.code
    ended.set()


if not session.wait_until_ready(30.0):
    sys.exit("the session did not start: " + "; ".join(errors))
with open(task["raw"], "rb") as file:
    while chunk := file.read(32000):
        session.send_audio(chunk)
session.stop_recording()
if not ended.wait(120):
    sys.exit("the session did not end: " + "; ".join(errors))

job = client.prerecorded().transcribe(task["wav"], {"language_config": {"languages": ["en"]}})
print(
    json.dumps(
        {
            "code": code,
            "finals": finals,
            "types": types,
            "errors": errors,
            "transcript": job.result.transcription.full_transcript,
        }
    )
)
