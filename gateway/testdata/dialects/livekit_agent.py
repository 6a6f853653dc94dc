"""One of LiveKit's speech-to-text plugins as it is, which speech of 16 or 24 kHz is sent at its own speed. It prints a line of JSON
for each final and each error.

Arguments: the name of the plugin, the gateway's host and port, the key, the file."""

import asyncio
import json
import sys

import aiohttp
from livekit import rtc
from livekit.agents import APIConnectOptions
from livekit.agents.stt import SpeechEventType
from livekit.agents.utils import http_context
from livekit.plugins import assemblyai, deepgram, openai

NAME, HOST, KEY, PATH = sys.argv[1:]
RATE = 24000 if NAME == "openai realtime" else 16000
STEP = RATE // 25  # bytes of 20 ms
OPTIONS = APIConnectOptions(max_retry=0, timeout=10)


def plugin(http):
    match NAME:
        case "openai realtime":
            return openai.STT(api_key=KEY, base_url=f"http://{HOST}/v1", use_realtime=True)
        case "openai":
            return openai.STT(api_key=KEY, base_url=f"http://{HOST}/v1", model="whisper-1", use_realtime=False)
        case "deepgram" | "deepgram file":
            return deepgram.STT(api_key=KEY, base_url=f"http://{HOST}/v1/listen", http_session=http)
        case "flux":
            return deepgram.STTv2(api_key=KEY, base_url=f"ws://{HOST}/v2/listen", http_session=http)
        case "assemblyai":
            return assemblyai.STT(api_key=KEY, base_url=f"ws://{HOST}", http_session=http)
    raise ValueError(NAME)


def frame(audio):
    return rtc.AudioFrame(audio, RATE, 1, len(audio) // 2)


def final(event):
    print(json.dumps({"final": event.alternatives[0].text}), flush=True)


async def stream(stt, audio):
    talk = stt.stream(conn_options=OPTIONS)
    heard = asyncio.Event()

    async def read():
        async for event in talk:
            if event.type == SpeechEventType.FINAL_TRANSCRIPT:
                final(event)
                heard.set()

    reading = asyncio.create_task(read())
    for at in range(0, len(audio), STEP):
        talk.push_frame(frame(audio[at : at + STEP]))
        await asyncio.sleep(0.02)
    for _ in range(500):
        if heard.is_set() or reading.done():
            break
        talk.push_frame(frame(bytes(STEP)))
        await asyncio.sleep(0.02)
    talk.flush()
    talk.end_input()
    await asyncio.wait([reading], timeout=2)  # the realtime one waits for the server to close the connection
    await talk.aclose()
    if reading.done():
        reading.result()


async def main():
    with open(PATH, "rb") as file:
        audio = file.read()
    http_context._new_session_ctx()
    async with aiohttp.ClientSession() as http:
        stt = plugin(http)
        try:
            if NAME in ("openai", "deepgram file"):
                final(await stt.recognize(frame(audio), conn_options=OPTIONS))
            else:
                await stream(stt, audio)
        except Exception as fault:
            print(json.dumps({"error": repr(fault)}), flush=True)
    await http_context._close_http_ctx()


asyncio.run(main())
