"""Sends a file of 16-kHz samples with the public client library, and prints what it is sent, a message a line.

Arguments: the address of the server, the key, the file, and a word for each session, after which an empty line is
printed: its version, "v1" or "v2", and "-wrong" after that for a key that is not known."""

import asyncio
import json
import sys

from deepgram import AsyncDeepgramClient
from deepgram.core.events import EventType
from deepgram.environment import DeepgramClientEnvironment

ADDRESS, KEY, FILE = sys.argv[1:4]
SOCKETS = ADDRESS.replace("http", "ws", 1)
FORMAT = {"encoding": "linear16", "sample_rate": "16000"}


def say(**what):
    print(json.dumps(what), flush=True)


def show(m):
    if getattr(m, "type", None) == "Results":
        say(type=m.type, final=m.is_final, finalized=m.from_finalize, text=m.channel.alternatives[0].transcript)
    elif getattr(m, "type", None) == "TurnInfo":
        say(type=m.type, final=m.event == "EndOfTurn", text=m.transcript, id=m.request_id)
    else:
        say(type=getattr(m, "type", "unknown"), id=getattr(m, "request_id", ""))


async def listen(version, key):
    client = AsyncDeepgramClient(api_key=key, environment=DeepgramClientEnvironment(
        base=ADDRESS, production=SOCKETS, agent=SOCKETS, agent_rest=ADDRESS))
    of = client.listen.v1.connect(model="nova-3", smart_format="true", interim_results="true", **FORMAT) \
        if version == "v1" else client.listen.v2.connect(model="flux-general-en", eager_eot_threshold="0.4", **FORMAT)
    async with of as socket:
        socket.on(EventType.MESSAGE, show)
        socket.on(EventType.ERROR, lambda e: say(type="error", text=str(e)))
        listening = asyncio.create_task(socket.start_listening())
        with open(FILE, "rb") as f:
            while block := f.read(3200):
                await socket.send_media(block)
        if version == "v1":
            await socket.send_keep_alive()
            await socket.send_finalize()
        await socket.send_close_stream()
        await asyncio.wait_for(listening, 60)


for how in sys.argv[4:]:
    version, _, wrong = how.partition("-")
    try:
        asyncio.run(listen(version, wrong or KEY))
    except Exception as e:
        say(type="raised", text=f"{type(e).__name__} {e}")
    print(flush=True)
