"""Sends a file of 24-kHz samples with the public client library, and prints what it is sent, an event a line.

Arguments: the address of the server, the key, the file, and a word for each session, after which an empty line is
printed: "key", "secret" to begin with a client secret, or "wrong" for a key that is not known."""

import asyncio
import base64
import json
import sys

import openai

ADDRESS, KEY, FILE = sys.argv[1:4]
SESSION = {
    "type": "transcription",
    "include": ["item.input_audio_transcription.logprobs"],
    "audio": {"input": {
        "format": {"type": "audio/pcm", "rate": 24000},
        "transcription": {"model": "gpt-4o-transcribe", "language": "en"},
        "turn_detection": None,
    }},
}


def client(key):
    return openai.AsyncOpenAI(
        base_url=ADDRESS + "/v1", websocket_base_url=ADDRESS.replace("http", "ws", 1) + "/v1", api_key=key, max_retries=0)


async def talk(how):
    c = client("wrong" if how == "wrong" else KEY)
    if how == "secret":
        made = await c.realtime.client_secrets.create(session=SESSION, expires_after={"anchor": "created_at", "seconds": 60})
        print(json.dumps({"type": "secret", "expires_at": made.expires_at, "kind": made.session.type}), flush=True)
        c = client(made.value)
    with open(FILE, "rb") as f:
        samples = f.read()
    async with c.realtime.connect(extra_query={"intent": "transcription"}) as conn:
        if how != "secret":
            await conn.session.update(session=SESSION)
        for at in range(0, len(samples), 4800):
            await conn.input_audio_buffer.append(audio=base64.b64encode(samples[at:at + 4800]).decode())
        await conn.input_audio_buffer.commit()
        async for event in conn:
            print(event.to_json(indent=None), flush=True)
            if event.type in ("error", "conversation.item.input_audio_transcription.completed"):
                return


for how in sys.argv[4:]:
    try:
        asyncio.run(talk(how))
    except Exception as e:
        print(json.dumps({"type": "raised", "name": type(e).__name__, "text": str(e)}))
    print(flush=True)
