"""Sends a file of 16-kHz samples with the public client library, and prints what it is sent, a message a line. It
asks for another language in between.

Arguments: the address of the server, the key, the file, and a word for each session, after which an empty line is
printed: "key", "token" for a temporary token, or "wrong" for a key that is not known."""

import json
import sys
import urllib.request

from assemblyai.streaming.v3 import (
    StreamingClient, StreamingClientOptions, StreamingEvents, StreamingParameters, StreamingSessionParameters)

ADDRESS, KEY, FILE = sys.argv[1:4]


def say(**what):
    print(json.dumps(what), flush=True)


def options(how):
    host = ADDRESS.replace("http", "ws", 1)
    if how != "token":
        return StreamingClientOptions(api_key="wrong" if how == "wrong" else KEY, api_host=host)
    request = urllib.request.Request(ADDRESS + "/v3/token?expires_in_seconds=60", headers={"Authorization": KEY})
    with urllib.request.urlopen(request) as answer:
        return StreamingClientOptions(token=json.load(answer)["token"], api_host=host)


def stream(how):
    client = StreamingClient(options(how))
    client.on(StreamingEvents.Begin, lambda _, e: say(type="begin", id=e.id))
    client.on(StreamingEvents.Turn, lambda _, e: say(
        type="turn", order=e.turn_order, ended=e.end_of_turn, formatted=e.turn_is_formatted, text=e.transcript,
        words=len(e.words)))
    client.on(StreamingEvents.Termination, lambda _, e: say(type="termination", seconds=e.audio_duration_seconds))
    client.on(StreamingEvents.Error, lambda _, e: say(type="error", text=str(e), code=e.code))
    client.on(StreamingEvents.Warning, lambda _, e: say(type="warning", text=e.warning))
    client.connect(StreamingParameters(sample_rate=16000, format_turns=True, min_turn_silence=250))
    with open(FILE, "rb") as f:
        samples = f.read()
    for at in range(0, len(samples), 1600):
        client.stream(samples[at:at + 1600])
    client.set_params(StreamingSessionParameters(language_codes=["fr"]))
    client.disconnect(terminate=True)


for how in sys.argv[4:]:
    stream(how)
    print(flush=True)
